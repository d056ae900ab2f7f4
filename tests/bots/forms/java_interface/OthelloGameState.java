public interface OthelloGameState {
    boolean isBlackTurn();
    boolean isValidMove(int row, int col);
    void makeMove(int row, int col);
    int getBlackScore();
    OthelloCell getCell(int row, int col);
    OthelloGameState clone();
}
