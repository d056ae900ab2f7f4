#include "board.hpp"
#include <cstring>
Board::Board() {
    memset(cells, ' ', 64);
    cells[27] = cells[36] = 'w';
    cells[28] = cells[35] = 'b';
}
int Board::turned(int x, int y, Side side, bool turn) {
    char own = side == BLACK ? 'b' : 'w';
    int all = 0;
    if (cells[8 * y + x] != ' ') return 0;
    for (int dx = -1; dx <= 1; dx++)
        for (int dy = -1; dy <= 1; dy++) {
            int n = 0, i = x + dx, j = y + dy;
            if (!dx && !dy) continue;
            while (i >= 0 && i < 8 && j >= 0 && j < 8 && cells[8 * j + i] != ' ' && cells[8 * j + i] != own)
                n++, i += dx, j += dy;
            if (i < 0 || i > 7 || j < 0 || j > 7 || cells[8 * j + i] != own) continue;
            all += n;
            if (turn)
                for (int k = 1; k <= n; k++) cells[8 * (y + k * dy) + x + k * dx] = own;
        }
    return all;
}
void Board::doMove(Move *move, Side side) {
    if (!move) return;
    turned(move->x, move->y, side, true);
    cells[8 * move->y + move->x] = side == BLACK ? 'b' : 'w';
}
void Board::setBoard(char data[]) { memcpy(cells, data, 64); }
