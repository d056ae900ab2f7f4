public class OthelloMove {
    private int row, column;

    public OthelloMove(int row, int column) {
        this.row = row;
        this.column = column;
    }
}
