public enum OthelloCell { NONE, BLACK, WHITE }
