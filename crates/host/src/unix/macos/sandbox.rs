//! Boxes for bots: none yet, so none of this is ever there.

use std::ffi::OsString;
use std::process::Command;
use std::time::Duration;

use rustix::process::{Pid, RawPid};

use super::{CpuClock, RunDelay};
use crate::no_box::NOT_YET;
use crate::{Exit, Program, Reached, Sandbox, StartError};

pub use crate::no_box::{ask_runtimes, closed_for, look, open_in, probe};

pub fn take_role(_: &str, _: impl Iterator<Item = OsString>) {}

pub fn clear_cgroups(_: RawPid) {}

/// A box, of which there are none.
#[derive(Clone, Copy, Debug)]
pub enum Boxed {}

/// Who could end it.
pub type Killer = Boxed;

pub struct Inside {
    pub pid: Pid,
    pub cpu: CpuClock,
    pub run_delay: RunDelay,
}

impl Boxed {
    pub fn make(_: &Sandbox, _: &Program) -> Result<(Boxed, Command), StartError> {
        Err(StartError::NoBox(NOT_YET.to_owned()))
    }

    pub fn variables(&self) -> [(&'static str, OsString); 2] {
        match *self {}
    }

    pub fn killer(&self) -> Killer {
        *self
    }

    pub fn inside(&self, _: Pid) -> Option<&Inside> {
        match *self {}
    }

    pub fn forget_reached(&self) {
        match *self {}
    }

    pub fn has_forked(&self) -> bool {
        match *self {}
    }

    pub fn is_up(&self) -> bool {
        match *self {}
    }

    pub fn others(&self, _: Pid) -> usize {
        match *self {}
    }

    pub fn is_at_work(&self, _: Pid) -> bool {
        match *self {}
    }

    pub fn cpu_time(&self) -> Option<Duration> {
        match *self {}
    }

    pub fn cpu_of_others(&self, _: Pid) -> Duration {
        match *self {}
    }

    pub fn set_frozen(&self, _: bool, _: Pid) {
        match *self {}
    }

    pub fn kill(&self, _: Pid) {
        match *self {}
    }

    pub fn clear(&self) {
        match *self {}
    }

    pub fn exit(&self) -> Option<Exit> {
        match *self {}
    }

    pub fn reached(&self) -> Option<Reached> {
        match *self {}
    }
}
