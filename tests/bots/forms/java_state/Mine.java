public class Mine {
    public Position decideMove(GameState s) {
        System.out.println("thinking");
        for (int square = 0; square < 64; square++)
            if (s.isLegal(square / 8, square % 8)) return new Position(square / 8, square % 8);
        return null;
    }
}
