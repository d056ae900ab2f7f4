// Plays one move: `player STATE ACTION`. Writes an illegal move, then the one that counts. If that is in row 2, hangs.
#include <fstream>
#include <iostream>
static int player, board[8][8], count, row, column;
static void read_board(std::ifstream &fin) {
    fin >> player;
    for (auto &line : board)
        for (int &cell : line) fin >> cell;
    fin >> count >> row >> column;
}
int main(int, char **argv) {
    std::ifstream fin(argv[1]);
    std::ofstream fout(argv[2]);
    read_board(fin);
    fout << "3 3" << std::endl << row << " " << column << std::endl;
    while (row == 2) {}
}
