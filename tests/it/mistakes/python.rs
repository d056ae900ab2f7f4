//! In Python.

use super::{Lesson, Mistake};

pub const LESSON: Lesson = Lesson {
    compiler: "python3",
    example: include_str!("../../../bots/python/bot.py"),
    file: "bot.py",
    manifest: "",
    mistakes: MISTAKES,
};

const CHOOSE: &str = "    own, other = \"XO\"";
const SAID: &str = "move=choose(game, message)";

const MISTAKES: &[Mistake] = &[
    Mistake {
        name: "no-colon",
        edits: &[("def main():", "def main()")],
        code: "crashes-at-start",
        says: "The program itself is not valid",
    },
    Mistake {
        name: "missing-file",
        edits: &[("import json\n", "import json\nfrom my_search import best\n")],
        code: "crashes-at-start",
        says: "my_search.py is missing",
    },
    Mistake {
        name: "never-called",
        edits: &[("if __name__ == \"__main__\":\n    main()\n", "")],
        code: "crashes-at-start",
        says: "its main function is never called",
    },
    Mistake {
        name: "misspelt",
        edits: &[("kind = message[", "kind = mesage[")],
        code: "crashes-at-start",
        says: "the name \"mesage\", which it has not defined",
    },
    Mistake {
        name: "not-flushed",
        edits: &[(
            "print(json.dumps(message), flush=True)",
            "print(json.dumps(message))",
        )],
        code: "not-flushed",
        says: "Flush standard output after every message",
    },
    Mistake {
        name: "reads-all",
        edits: &[(
            "for line in sys.stdin:",
            "for line in sys.stdin.readlines():",
        )],
        code: "reads-to-the-end",
        says: "line by line",
    },
    Mistake {
        name: "prompt",
        edits: &[(
            "    for line in sys.stdin:",
            "    while True:\n      for line in [input(\"next: \")]:",
        )],
        code: "stray-output",
        says: "prints its prompt",
    },
    Mistake {
        name: "debug-print",
        edits: &[(
            CHOOSE,
            "    print(\"thinking about\", turn[\"legal\"])\n    own, other = \"XO\"",
        )],
        code: "stray-output",
        says: "Print debug output to standard error",
    },
    Mistake {
        name: "python-dict",
        edits: &[(
            "print(json.dumps(message), flush=True)",
            "print(message, flush=True)",
        )],
        code: "not-json",
        says: "json.dumps(message)",
    },
    Mistake {
        name: "other-colour",
        edits: &[(
            "    # Lists of letters",
            "    places = [(r, c) for r in range(8) for c in range(8)]
    for r, c in places:
        if turn[\"board\"][r][c] == \".\" and turned(turn[\"board\"], (r, c), other, own):
            return \"abcdefgh\"[c] + str(r + 1)
    # Lists of letters",
        )],
        code: "other-colour",
        says: "Take your colour from \"you\"",
    },
    Mistake {
        name: "swapped",
        edits: &[(
            SAID,
            "move=(lambda at: \"abcdefgh\"[at[0]] + str(at[1] + 1))(square(choose(game, message)))",
        )],
        code: "swapped-coordinates",
        says: "row and column are swapped",
    },
    Mistake {
        name: "from-0",
        edits: &[(
            SAID,
            "move=(lambda at: \"abcdefgh\"[at[1]] + str(at[0]))(square(choose(game, message)))",
        )],
        code: "counted-from-0",
        says: "the first row is 1",
    },
    Mistake {
        name: "passes",
        edits: &[(SAID, "move=\"pass\"")],
        code: "passes",
        says: "The arena passes for you",
    },
    Mistake {
        name: "nothing-chosen",
        edits: &[(SAID, "move=None")],
        code: "wrong-message",
        says: "begin with the first move of \"legal\"",
    },
    Mistake {
        name: "endless",
        edits: &[(
            CHOOSE,
            "    while turn[\"legal\"]:\n        pass\n    own, other = \"XO\"",
        )],
        code: "too-slow",
        says: "it was still computing",
    },
    Mistake {
        name: "index",
        edits: &[(SAID, "move=message[\"legal\"][10]")],
        code: "crashes",
        says: "an index beyond the end",
    },
    Mistake {
        name: "attribute",
        edits: &[("message[\"game\"]", "message.game")],
        code: "crashes-at-start",
        says: "message[\"board\"], not message.board",
    },
    Mistake {
        name: "string-row",
        edits: &[(
            CHOOSE,
            "    turn[\"board\"][0][0] = \"X\"\n    own, other = \"XO\"",
        )],
        code: "crashes",
        says: "make a list of each row",
    },
    Mistake {
        name: "one-answer",
        edits: &[(
            "        elif kind == \"quit\":",
            "            break\n        elif kind == \"quit\":",
        )],
        code: "crashes",
        says: "in a loop until quit comes",
    },
    Mistake {
        name: "old-id",
        edits: &[("id=message[\"id\"]", "id=message[\"id\"] - 1")],
        code: "wrong-id",
        says: "Send back the id of the question",
    },
];
