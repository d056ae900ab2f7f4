// Attacks by a bot in JavaScript with the modules of Node: reach.js WHICH key=value...
const fs = require("fs");
const [which] = process.argv.slice(2);
const given = Object.fromEntries(process.argv.slice(3).map((word) => word.split(/=(.*)/s)));
const end = (how, code, detail) => {
  fs.writeSync(2, `ATTACK ${given.name} ${how}: ${detail}\n`);
  process.exit(code);
};
const attempts = {
  read: () => fs.readFileSync(`${given.folder}/secret`, "utf8"),
  write: () => fs.openSync(`${given.folder}/secret`, "r+") >= 0,
  list: () => fs.readdirSync(given.folder).length,
  signal: () => process.kill(Number(given.pid), "SIGURG"),
  // Sends SIGUSR1. A process of Node then opens its debugger.
  debug: () => process._debugProcess(Number(given.pid)) === undefined,
  priority: () => require("os").setPriority(Number(given.pid), require("os").getPriority(Number(given.pid))) === undefined,
  user: () => process.setuid(0) === undefined && process.getuid() === 0 && fs.openSync("/etc/shadow", "r") >= 0,
  spawn: () => require("child_process").execFileSync("/bin/cat", [`${given.folder}/secret`], { stdio: "pipe" }).length > 0,
  inspector: () => require("inspector").open(0) === undefined && require("inspector").url(),
  worker: () => {
    const worker = new (require("worker_threads").Worker)(`require("fs").readFileSync(${JSON.stringify(given.folder)} + "/secret")`, { eval: true });
    worker.on("error", (error) => end("held", 0, error.message));
    worker.on("exit", () => end("succeeded", 7, "a worker reads the secret"));
  },
  connect: () => {
    const socket = require("net").connect(Number(given.tcp), "127.0.0.1", () => end("succeeded", 7, "a connection"));
    socket.on("error", (error) => end("held", 0, error.message));
  },
};
try {
  const got = attempts[which]();
  if (got !== undefined) end(got ? "succeeded" : "held", got ? 7 : 0, got);
} catch (error) {
  end("held", 0, error.message);
}
