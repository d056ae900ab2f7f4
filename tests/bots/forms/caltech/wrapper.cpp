#include "player.hpp"
#include <cstring>
#include <iostream>
int main(int, char **words) {
    Player player(strcmp(words[1], "Black") ? WHITE : BLACK);
    std::cout << "Init done" << std::endl;
    int x, y, left;
    while (std::cin >> x >> y >> left) {
        Move *move = player.doMove(x < 0 ? nullptr : new Move(x, y), left);
        std::cout << (move ? move->x : -1) << " " << (move ? move->y : -1) << std::endl;
    }
}
