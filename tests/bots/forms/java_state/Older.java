public class Older {
    public Position decideMove(GameState s) { return null; }
}
