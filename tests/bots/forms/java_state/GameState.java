// The first index of the board is the column, as at the IT University of Copenhagen.
class GameState {
    private final int[][] board;
    private int currentPlayer;

    GameState(int size, int playerToStart) {
        board = new int[size][size];
        currentPlayer = playerToStart;
        board[3][4] = board[4][3] = 1;
        board[3][3] = board[4][4] = 2;
    }

    int at(int col, int row) {
        return col < 0 || row < 0 || col > 7 || row > 7 ? 0 : board[col][row];
    }

    boolean isLegal(int col, int row) {
        for (int right = -1; right < 2 && at(col, row) == 0; right++)
            for (int down = -1; down < 2; down++) {
                int length = 1;
                while (at(col + length * right, row + length * down) == 3 - currentPlayer) length++;
                if (length > 1 && at(col + length * right, row + length * down) == currentPlayer) return true;
            }
        return false;
    }
}
