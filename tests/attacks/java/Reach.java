import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Attacks through Java's class library. Usage: Reach WHICH key=value... */
class Reach {
    public static void main(String[] words) {
        Map<String, String> given = new HashMap<>();
        for (String word : words) {
            String[] pair = word.split("=", 2);
            if (pair.length == 2) given.put(pair[0], pair[1]);
        }
        Path secret = Path.of(given.get("folder"), "secret");
        boolean got = false;
        String detail = words[0];
        try {
            switch (words[0]) {
                case "read" -> got = Files.size(secret) > 0 && Files.readString(secret).length() > 0;
                case "write" -> got = Files.newOutputStream(secret.resolveSibling(given.get("name"))) != null;
                // `destroy` sends SIGTERM, which the witness reports.
                case "destroy" -> got = ProcessHandle.of(Long.parseLong(given.get("pid"))).map(ProcessHandle::destroy).orElse(false);
                case "connect" -> got = new Socket("127.0.0.1", Integer.parseInt(given.get("tcp"))).isConnected();
                case "exec" -> got = new ProcessBuilder("/bin/cat", secret.toString()).start().waitFor() == 0;
                default -> throw new IllegalArgumentException(words[0]);
            }
        } catch (Exception error) {
            detail = error.toString();
        }
        System.err.println("ATTACK " + given.get("name") + (got ? " succeeded: " : " held: ") + detail);
        System.exit(got ? 7 : 0);
    }
}
