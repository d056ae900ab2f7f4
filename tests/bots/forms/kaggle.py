"""An agent for Kaggle's open_spiel_othello. It checks its observations. The last function is the agent."""

import json
from random import choice


def name(action):
    return "abcdefgh"[action % 8] + str(action // 8 + 1)


def agent(obs, config):
    state = json.loads(obs.observationString)
    played = obs["serializedGameAndState"].split("[State]\n")[1].split()
    names = ["pass" if action == "64" else name(int(action)) for action in played]
    assert names == state["move_history"] and len(names) == state["move_number"]
    assert state["current_player"] == "xo"[obs.playerId] and obs.currentPlayer == obs.playerId
    assert [name(action) for action in obs.legalActions] == obs.legalActionStrings
    assert all(state["board"][action // 8][action % 8] == "" for action in obs.legalActions)
    assert sum(state["disks"].values()) == sum(cell != "" for row in state["board"] for cell in row)
    assert config.actTimeout > 0 and obs.get("imageConfig") is None
    return {"submission": choice(obs.legalActions), "thoughts": "at random"}
