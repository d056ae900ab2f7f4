#pragma once
enum Side { WHITE, BLACK };
struct Move {
    int x, y;
    Move(int x, int y) : x(x), y(y) {}
};
class Board {
    char cells[64];
    int turned(int x, int y, Side side, bool turn);

public:
    Board();
    bool isLegal(int x, int y, Side side) { return turned(x, y, side, false) > 0; }
    void doMove(Move *move, Side side);
    void setBoard(char data[]);
};
