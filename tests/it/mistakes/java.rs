//! In Java.

use super::{Lesson, Mistake};

pub const LESSON: Lesson = Lesson {
    compiler: "javac",
    example: include_str!("../../../bots/java/Bot.java"),
    file: "Bot.java",
    manifest: "",
    mistakes: MISTAKES,
};

const CHOOSE: &str = "        String best = null;";
const SAID: &str = "choose(message) + \"\\\"}\"";

const MISTAKES: &[Mistake] = &[
    Mistake {
        name: "no-semicolon",
        edits: &[("boolean isOthello = true;", "boolean isOthello = true")],
        code: "build-failed",
        says: "; is missing at that place",
    },
    Mistake {
        name: "missing-import",
        edits: &[("import java.util.List;\n", "")],
        code: "build-failed",
        says: "an import that is missing",
    },
    Mistake {
        name: "not-static",
        edits: &[("public static void main(", "public void main(")],
        code: "crashes-at-start",
        says: "declare main exactly so",
    },
    Mistake {
        name: "not-flushed",
        edits: &[(
            "System.out.print(message + \"\\n\");\n        System.out.flush();",
            "new java.io.PrintWriter(System.out).println(message);",
        )],
        code: "not-flushed",
        says: "Call flush() after every message",
    },
    Mistake {
        name: "debug-print",
        edits: &[(
            CHOOSE,
            "        System.out.println(\"thinking\");\n        String best = null;",
        )],
        code: "stray-output",
        says: "Print debug output to standard error",
    },
    Mistake {
        name: "other-colour",
        edits: &[(
            "        for (String move : turn.field(\"legal\").strings()) {",
            "        var mine = new ArrayList<String>();
        for (int r = 0; r < 8; r++)
            for (int c = 0; c < 8; c++)
                if (board[r][c] == '.' && !turned(board, r, c, other, own).isEmpty())
                    mine.add(\"\" + (char) ('a' + c) + (r + 1));
        if (mine.isEmpty()) mine.addAll(turn.field(\"legal\").strings());
        for (String move : mine) {",
        )],
        code: "other-colour",
        says: "Take your colour from \"you\"",
    },
    Mistake {
        name: "swapped",
        edits: &[
            (SAID, "swap(choose(message)) + \"\\\"}\""),
            (
                "    private static void say(",
                "    private static String swap(String move) {
        return \"\" + (char) ('a' + move.charAt(1) - '1') + (move.charAt(0) - 'a' + 1);
    }

    private static void say(",
            ),
        ],
        code: "swapped-coordinates",
        says: "row and column are swapped",
    },
    Mistake {
        name: "nothing-chosen",
        edits: &[("best == null || worth > most", "worth > most + 1000")],
        code: "not-a-square",
        says: "begin with the first move of \"legal\"",
    },
    Mistake {
        name: "endless",
        edits: &[(
            CHOOSE,
            "        for (int i = 0; i < 8; i = 0) ;\n        String best = null;",
        )],
        code: "too-slow",
        says: "it was still computing",
    },
    Mistake {
        name: "index",
        edits: &[(
            CHOOSE,
            "        board[8][0] = own;\n        String best = null;",
        )],
        code: "crashes",
        says: "an index beyond the end",
    },
    Mistake {
        name: "null",
        edits: &[(
            CHOOSE,
            "        String name = null;\n        name.length();\n        String best = null;",
        )],
        code: "crashes",
        says: "a value that is null",
    },
    Mistake {
        name: "recursion",
        edits: &[(CHOOSE, "        choose(turn);\n        String best = null;")],
        code: "crashes",
        says: "give its search a maximum depth",
    },
    Mistake {
        name: "one-answer",
        edits: &[
            ("case \"turn\" -> say(", "case \"turn\" -> { say("),
            (
                SAID,
                "choose(message) + \"\\\"}\"); return; }\n                case \"none\" -> say(\"\"",
            ),
        ],
        code: "crashes",
        says: "in a loop until quit comes",
    },
];
