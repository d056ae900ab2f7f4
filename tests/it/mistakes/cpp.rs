//! In C++.

use super::{Lesson, Mistake};

pub const LESSON: Lesson = Lesson {
    compiler: "g++",
    example: include_str!("../../../bots/cpp/bot.cpp"),
    file: "bot.cpp",
    // Without the optimiser it is built in half the time.
    manifest: "build = [\"g++\", \"-O0\", \"-std=c++17\", \"-o\", \"bot\", \"bot.cpp\"]\ncommand = [\"./bot\"]\n",
    mistakes: MISTAKES,
};

const CHOOSE: &str = "    std::string best;";
const SAID: &str = "<< choose(message, is_othello)";

const MISTAKES: &[Mistake] = &[
    Mistake {
        name: "no-semicolon",
        edits: &[("bool is_othello = true;", "bool is_othello = true")],
        code: "build-failed",
        says: "often a ; or a brace is missing",
    },
    Mistake {
        name: "missing-header",
        edits: &[(
            "#include <vector>\n",
            "#include <vector>\n#include \"board.hpp\"\n",
        )],
        code: "build-failed",
        says: "The file board.hpp is missing",
    },
    Mistake {
        name: "no-std",
        edits: &[(CHOOSE, "    string best;")],
        code: "build-failed",
        says: "std:: is missing before it",
    },
    Mistake {
        name: "undefined",
        edits: &[(
            "int main() {",
            "void prepare();\n\nint main() {\n    prepare();",
        )],
        code: "build-failed",
        says: "prepare() is declared or called, but defined nowhere",
    },
    Mistake {
        name: "not-flushed",
        edits: &[
            ("int main() {", "int main() {\n    std::cin.tie(nullptr);"),
            (
                "\"version\":\"1.0\"})\" << std::endl",
                "\"version\":\"1.0\"})\" << '\\n'",
            ),
        ],
        code: "not-flushed",
        says: "Flush standard output after every message",
    },
    Mistake {
        name: "debug-print",
        edits: &[(
            CHOOSE,
            "    std::cout << \"thinking\" << std::endl;\n    std::string best;",
        )],
        code: "stray-output",
        says: "printed in the middle of a message",
    },
    Mistake {
        name: "other-colour",
        edits: &[(
            "    for (const std::string &move : turn[\"legal\"].strings()) {",
            "    std::vector<std::string> mine;
    for (int row = 0; row < 8; row++)
        for (int column = 0; column < 8; column++)
            if (board[row][column] == '.' && !turned(board, {row, column}, other, own).empty())
                mine.push_back(std::string(1, char('a' + column)) + std::to_string(row + 1));
    if (mine.empty()) mine = turn[\"legal\"].strings();
    for (const std::string &move : mine) {",
        )],
        code: "other-colour",
        says: "Take your colour from \"you\"",
    },
    Mistake {
        name: "swapped",
        edits: &[(
            SAID,
            "<< [](Square s) { return std::string(1, char('a' + s.row)) + std::to_string(s.column + 1); }(square(choose(message, is_othello)))",
        )],
        code: "swapped-coordinates",
        says: "row and column are swapped",
    },
    Mistake {
        name: "nothing-chosen",
        edits: &[(
            "int most = std::numeric_limits<int>::min();",
            "int most = 1000;",
        )],
        code: "not-a-square",
        says: "begin with the first move of \"legal\"",
    },
    Mistake {
        name: "endless",
        edits: &[(
            CHOOSE,
            "    for (volatile int i = 0; i < 8;);\n    std::string best;",
        )],
        code: "too-slow",
        says: "it was still computing",
    },
    Mistake {
        name: "null-pointer",
        edits: &[(
            CHOOSE,
            "    volatile int *table = nullptr;\n    table[3] = 1;\n    std::string best;",
        )],
        code: "crashes",
        says: "-fsanitize=address",
    },
    Mistake {
        name: "index",
        edits: &[(CHOOSE, "    board.at(board.size());\n    std::string best;")],
        code: "crashes",
        says: "beyond the end of a vector",
    },
    Mistake {
        name: "one-answer",
        edits: &[(
            "        } else if (type == \"quit\") {",
            "            break;\n        } else if (type == \"quit\") {",
        )],
        code: "crashes",
        says: "in a loop until quit comes",
    },
];
