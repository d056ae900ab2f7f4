// The main program of a player for Caltech's CS2, in place of the course's wrapper.cpp. It can also set the board of
// the player, so that a game can begin from an opening: it reads a line `-2 -2 0`, then 64 squares of X, O and dots.
// PLAYER is the player's header. BOARD is the member of type Board, which may be private (-fno-access-control).

#include <cstring>
#include <iostream>
#include <string>

#include PLAYER

static Board &at(Board &board) { return board; }
static Board &at(Board *&board) {
    if (!board) board = new Board();
    return *board;
}

// In some players, setBoard takes the squares as rows of eight.
template <class B> auto put(B &board, char *squares, int) -> decltype(board.setBoard(squares), void()) {
    board.setBoard(squares);
}
template <class B> void put(B &board, char *squares, long) { board.setBoard(reinterpret_cast<char(*)[8]>(squares)); }

int main(int count, char **words) {
    Side side = count > 1 && !strcmp(words[1], "White") ? WHITE : BLACK;
    Player *player = new Player(side);
    std::cout << "its board can be set\nInit done" << std::endl;
    int x, y, left;
    while (std::cin >> x >> y >> left) {
        if (x == -2) {
            std::string text;
            std::cin >> text;
            char squares[64];
            for (int i = 0; i < 64; i++) squares[i] = text[i] == 'X' ? 'b' : text[i] == 'O' ? 'w' : ' ';
            put(at(player->BOARD), squares, 0);
            continue;
        }
        Move *move = player->doMove(x >= 0 && y >= 0 ? new Move(x, y) : nullptr, left);
        if (move) std::cout << move->x << " " << move->y << std::endl;
        else std::cout << "-1 -1" << std::endl;
    }
}
