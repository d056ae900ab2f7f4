class Position {
    private final int col, row;

    Position(int col, int row) {
        this.col = col;
        this.row = row;
    }
}
