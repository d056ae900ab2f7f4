public class OthelloAI_ada {
    /** Takes the most discs. */
    public OthelloMove chooseMove(OthelloGameState state) {
        OthelloMove best = null;
        int most = -65;
        for (int row = 0; row < 8; row++)
            for (int col = 0; col < 8; col++) {
                if (!state.isValidMove(row, col)) continue;
                if (state.getCell(row, col) != OthelloCell.NONE) throw new IllegalStateException();
                OthelloGameState after = state.clone();
                after.makeMove(row, col);
                int score = state.isBlackTurn() ? after.getBlackScore() : -after.getBlackScore();
                if (score > most) {
                    most = score;
                    best = new OthelloMove(row, col);
                }
            }
        return best;
    }
}
