#include "player.hpp"
Move *Player::doMove(Move *opponentsMove, int) {
    board.doMove(opponentsMove, side == BLACK ? WHITE : BLACK);
    for (int x = 0; x < 8; x++)
        for (int y = 0; y < 8; y++)
            if (board.isLegal(x, y, side)) {
                Move *move = new Move(x, y);
                board.doMove(move, side);
                return move;
            }
    return nullptr;
}
