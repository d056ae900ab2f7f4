//! The Windows build of the arena, run by Wine. The build takes minutes, so the tests run only if `ARENA_WINE` is set.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use super::Workdir;
use super::asked::is_asked;
use super::cross::build;

pub const TARGET: &str = "x86_64-pc-windows-gnu";
const COMPILER: &str = "x86_64-w64-mingw32-gcc";
/// The program of Wine. On some systems, `wine` is a script that complains about parts that the tests do not need.
const WINES: [&str; 3] = ["/usr/lib/wine/wine64", "/usr/bin/wine64", "/usr/bin/wine"];

/// A function for random bytes, which Rust's library needs and Wine 8 lacks.
const SHIM: &str = "#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) {
    return SystemFunction036(data, (ULONG)size);
}
";

pub struct Windows {
    folder: PathBuf,
}

static WINDOWS: LazyLock<Option<Windows>> = LazyLock::new(|| {
    let is_asked = is_asked("ARENA_WINE", "the program for Windows, by Wine");
    is_asked.then(|| Windows::new().unwrap_or_else(|missing| panic!("{missing}")))
});

/// Returns the Windows build, or `None` if it is not asked for.
pub fn windows() -> Option<&'static Windows> {
    WINDOWS.as_ref()
}

impl Windows {
    fn new() -> Result<Windows, String> {
        let wine = WINES.iter().find(|path| Path::new(path).is_file());
        let wine = wine.ok_or("wine is not installed (apt-get install wine64)")?;
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("windows");
        fs::create_dir_all(&folder).expect("a folder");
        let windows = Windows { folder };
        fs::write(windows.path("shim.c"), SHIM).expect("a file");
        windows
            .compile("shim.c", "bcryptprimitives.dll", &["-shared", "-ladvapi32"])
            .map_err(|_| format!("{COMPILER} is missing (apt-get install gcc-mingw-w64-x86-64)"))?;
        for (source, program) in [
            ("tests/bots/misbehave.c", "misbehave"),
            ("bots/c/bot.c", "c"),
        ] {
            let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
            let compiled = windows.compile(source, &format!("{program}.exe"), &["-O2"]);
            compiled.unwrap_or_else(|error| panic!("{error}"));
        }
        let built = build(TARGET, &["build", "--bin", "arena"], &[])
            .ok_or(format!("rustup target add {TARGET}"))?;
        let program = built.join("arena.exe");
        // A link instead of a copy saves 60 MB.
        let _ = fs::remove_file(windows.path("arena.exe"));
        fs::hard_link(&program, windows.path("arena.exe"))
            .or_else(|_| fs::copy(&program, windows.path("arena.exe")).map(drop))
            .expect("a program");
        windows.script("run", wine, "\"$@\"");
        let arena = windows.path("arena.exe").display().to_string();
        windows.script("arena", wine, &format!("{arena:?} \"$@\""));
        windows.begin();
        Ok(windows)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Writes a script that replaces itself with a program for Windows.
    fn script(&self, name: &str, wine: &str, words: &str) {
        use std::os::unix::fs::PermissionsExt;
        let home = self.path("prefix").display().to_string();
        // Wine looks for libraries in the same folders as for programs.
        let path = format!("Z:{}", self.folder.display()).replace('/', "\\");
        let text = format!(
            "#!/bin/sh\nexport WINEPREFIX={home:?} WINEDEBUG=-all WINEPATH='{path}'\n\
             export WINEDLLOVERRIDES=mscoree,mshtml=\nexec {wine} {words}\n"
        );
        fs::write(self.path(name), text).expect("a file");
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(self.path(name), mode).expect("a script");
    }

    /// Creates the Wine prefix. Disables the debugger, whose output after a crash would count as the bot's.
    fn begin(&self) {
        let key = r"HKLM\Software\Microsoft\Windows NT\CurrentVersion\AeDebug";
        self.run(&["wineboot", "-i"]);
        self.run(&["reg", "add", key, "/v", "Debugger", "/d", "", "/f"]);
    }

    pub fn run(&self, words: &[&str]) {
        let mut command = Command::new(self.path("run"));
        let quiet = command
            .args(words)
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        let status = quiet.stderr(Stdio::null()).status().expect("wine starts");
        assert!(status.success(), "{words:?}: {status}");
    }

    fn compile(
        &self,
        source: impl AsRef<Path>,
        program: &str,
        options: &[&str],
    ) -> Result<(), String> {
        let mut command = Command::new(COMPILER);
        let command = command
            .current_dir(&self.folder)
            .arg(source.as_ref())
            .args(["-o", program])
            .args(options);
        let output = command.output().map_err(|error| error.to_string())?;
        let printed = String::from_utf8_lossy(&output.stderr).into_owned();
        output.status.success().then_some(()).ok_or(printed)
    }

    pub fn workdir(&self, bots: &[&str]) -> Workdir {
        let workdir = Workdir::with(tempfile::tempdir().expect("a folder"), self.path("arena"));
        for bot in bots {
            let bot = format!("{bot}.exe");
            fs::copy(self.path(&bot), workdir.path(&bot)).expect("a bot");
        }
        workdir
    }
}
