"""One file for each type of answer that is told apart by its look; `statement` serves all others.

Each has a generator ``answers(asked, clause)``: the pieces of a clause that are such an answer.
`text.questions.answer_types` names them, one row each.
"""
