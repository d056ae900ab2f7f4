//! Kubernetes: an indexed job.

use referee::problem;
use serde_json::{Value, json};

use super::job::{Call, Job};
use tournament::Problem;

/// Where the volume is mounted, and so the plan.
const MOUNT: &str = "/plan";

/// The manifest of the job, for `kubectl create`, which takes JSON as it takes YAML.
///
/// A pod that is evicted with its node does not count as a failure; one whose block is not whole (75) is
/// tried again, three times; a bot or a plan that cannot be used (2, 3) ends the job.
pub(super) fn calls(job: &Job) -> Result<Vec<Call>, Problem> {
    let manifest = serde_json::to_string_pretty(&manifest(job)?).map_err(Problem::new)?;
    let words = ["kubectl", "create", "--output=name", "--filename=-"];
    Ok(vec![Call {
        words: words.map(str::to_owned).to_vec(),
        input: format!("{manifest}\n"),
    }])
}

fn manifest(job: &Job) -> Result<Value, Problem> {
    let Some(image) = &job.image else {
        return Err(problem!(
            "Kubernetes needs an image that has the arena and what the bots need"
        )
        .help("--image REGISTRY/NAME:TAG; docs/cluster.md has a Dockerfile"));
    };
    let Some(claim) = &job.claim else {
        return Err(problem!("Kubernetes needs a volume that the plan is on")
            .help("--claim NAME, of a PersistentVolumeClaim with ReadWriteMany"));
    };
    let mut resources = json!({ "cpu": job.cores.to_string() });
    if let Some(memory) = job.memory_mib {
        resources["memory"] = json!(format!("{memory}Mi"));
    }
    let blocks: Vec<String> = job.blocks.iter().map(u64::to_string).collect();
    let all = job.blocks.iter().copied().eq(0..job.blocks.len() as u64);
    let mut command = vec![job.arena.clone(), "shard".to_owned(), MOUNT.to_owned()];
    if !all {
        // The job counts its pods from 0; these are the blocks they play.
        command.extend(["--of".to_owned(), blocks.join(",")]);
    }
    let mut spec = json!({
        "completionMode": "Indexed",
        "completions": job.blocks.len(),
        "parallelism": job.at_once.min(job.blocks.len() as u64),
        "backoffLimitPerIndex": 3,
        "podFailurePolicy": { "rules": [
            { "action": "Ignore", "onPodConditions": [{ "type": "DisruptionTarget", "status": "True" }] },
            { "action": "FailJob", "onExitCodes": { "containerName": "shard", "operator": "In", "values": [2, 3] } },
        ]},
        "template": { "spec": {
            "restartPolicy": "Never",
            "terminationGracePeriodSeconds": 30,
            "containers": [{
                "name": "shard",
                "image": image,
                "command": command,
                "env": [{
                    "name": "ARENA_MACHINE",
                    "valueFrom": { "fieldRef": { "fieldPath": "spec.nodeName" } },
                }],
                "resources": { "requests": resources, "limits": resources },
                "volumeMounts": [{ "name": "plan", "mountPath": MOUNT }],
            }],
            "volumes": [{ "name": "plan", "persistentVolumeClaim": { "claimName": claim } }],
        }},
    });
    if let Some(minutes) = job.minutes {
        spec["template"]["spec"]["activeDeadlineSeconds"] = json!(60 * minutes);
    }
    if let Some(path) = job.folder.to_str().filter(|path| !path.starts_with('/')) {
        spec["template"]["spec"]["containers"][0]["volumeMounts"][0]["subPath"] = json!(path);
    }
    Ok(json!({
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": { "generateName": format!("arena-{}-", dns(&job.name)) },
        "spec": spec,
    }))
}

/// The name with what Kubernetes allows in one (RFC 1123).
fn dns(name: &str) -> String {
    let name = name.to_lowercase();
    let allowed = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let name: String = name.chars().map(allowed).take(40).collect();
    name.trim_matches('-').to_owned()
}
