public class Move {
    public int row, col;
}
