#pragma once
#include "board.hpp"
class Player {
    Side side;
    Board board;

public:
    Player(Side side) : side(side) {}
    Move *doMove(Move *opponentsMove, int msLeft);
};
