def reversi_ai(player, board, allow):
    assert len(board) == 64 and board.count(player) > 0
    return allow.index(True)
