"""Conflicts of negation, opposites, comparison, order and quantifiers; and differences that are none."""

from __future__ import annotations

from every import examples, misses

from pytest_grounding.scorers.builtin.conflicts import conflicts_between

NEGATIONS = [
    ("The treatment is safe for small children.", "The treatment is not safe for small children."),
    ("The drug does not cause drowsiness.", "The drug causes drowsiness."),
    ("Employees can carry over vacation days.", "Employees cannot carry over vacation days."),
    ("The museum isn't open on Sundays.", "The museum is open on Sundays."),
    ("The plan covers dental care.", "The plan does not cover dental care."),
    ("The device never overheats during charging.", "The device overheats during charging."),
    ("The law applies to small farms.", "The law doesn't apply to small farms."),
    ("No refunds are given for late orders.", "Refunds are given for late orders."),
    ("You should rinse the rice before cooking.", "You should not rinse the rice before cooking."),
    ("The bridge was not damaged by the flood.", "The bridge was damaged by the flood."),
    ("The software supports offline editing.", "The software does not support offline editing."),
    ("The company no longer sells printers.", "The company sells printers."),
    ("The virus can survive on metal surfaces.", "The virus can't survive on metal surfaces."),
    ("The senator didn't vote for the budget.", "The senator voted for the budget."),
    ("Neither engine failed during the flight test.", "The engine failed during the flight test."),
]
NO_NEGATIONS = [
    ("The treatment is not safe for children.", "The treatment is unsafe for children."),
    ("The drug does not cause drowsiness.", "The drug doesn't cause any drowsiness."),
    ("The museum is not open on Sundays.", "The museum is never open on Sundays."),
    ("Not only is it cheap, it is fast.", "It is cheap and fast."),
    ("Move it to avoid the birds becoming used to it.", "Move it so the birds do not become used to it."),
    ("The plan does not cover dental care.", "The plan excludes dental care."),
    ("The skin can no longer hold the gas.", "The skin is no longer able to hold the gas."),
    ("You are unlikely to notice a difference.", "You will not notice a difference."),
    ("The senator failed to vote.", "The senator did not vote."),
    ("It is not impossible to win.", "It is not impossible to win the game."),
    ("Use soap without perfume.", "Use soap that has no perfume."),
    ("The law does not apply to farms.", "The law applies to shops, but it does not apply to farms."),
    ("The law applies to shops.", "The law applies to shops, but it does not apply to farms."),
    ("Clean the glasses with soap.", "If soap cannot clean the glasses, use soda."),
    ("The bridge was not damaged.", "The bridge survived the flood without damage and was not damaged."),
]
ANTONYMS = [
    ("The mushroom is edible when raw.", "The mushroom is poisonous when raw."),
    ("The soil in the valley is dry.", "The soil in the valley is wet."),
    ("The exam was easy for most students.", "The exam was difficult for most students."),
    ("The committee approved the new budget.", "The committee rejected the new budget."),
    ("The paint is toxic to fish.", "The paint is harmless to fish."),
    ("The metal is strong at low heat.", "The metal is weak at low heat."),
    ("Parking on the square is legal.", "Parking on the square is illegal."),
    ("The gate is open at night.", "The gate is closed at night."),
    ("The tumor was benign in this patient.", "The tumor was malignant in this patient."),
    ("The route is safe in winter.", "The route is dangerous in winter."),
    ("The army won the battle at the river.", "The army lost the battle at the river."),
    ("The clinic is in the northern suburb.", "The clinic is in the southern suburb."),
    ("The insurance includes theft.", "The insurance excludes theft."),
    ("The data in the report is accurate.", "The data in the report is inaccurate."),
    ("Membership of the union is voluntary.", "Membership of the union is mandatory."),
]
NO_ANTONYMS = [
    ("The mushroom is edible.", "The mushroom is edible when cooked."),
    ("The soil is dry.", "The soil is dry in summer and wet in winter."),
    ("The exam was not easy.", "The exam was difficult."),
    ("The dog ran through the open gate.", "The cat slept on the closed lid of the box."),
    ("The water is hot.", "The hot water flows into the cold tank."),
    ("The route is not safe.", "The route is unsafe in winter."),
    ("Elevated levels may indicate cancer.", "Elevated levels may indicate cancer or a benign growth."),
    ("It covers public and private schools.", "It covers private and public schools."),
    ("The metal is strong.", "The metal is very strong."),
    ("The bill was accepted.", "The committee accepted the bill."),
    ("The lamp is inexpensive.", "The lamp is cheap."),
    ("The clinic discovered a cover.", "The clinic found a cover."),
    ("The income of the town grew.", "The town's income grew."),
    ("The new engine is quick.", "The new engine is fast."),
    ("She increased her speed.", "She increased her speed on the crease."),
]
COMPARISONS = [
    ("Prices rose by 5% in June.", "Prices fell by 5% in June."),
    ("The new model uses more power than the old one.", "The new model uses less power than the old one."),
    ("Unemployment increased after the reform.", "Unemployment decreased after the reform."),
    ("Rents are higher in the city centre.", "Rents are lower in the city centre."),
    ("The second test was faster.", "The second test was slower."),
    ("Copper is cheaper this year.", "Copper is pricier this year."),
    ("The river is deeper near the mill.", "The river is shallower near the mill."),
    ("It had the largest share of the market.", "It had the smallest share of the market."),
    ("The majority of voters backed the plan.", "The minority of voters backed the plan."),
    ("Output grew in the third quarter.", "Output shrank in the third quarter."),
    ("The patients felt better after the treatment.", "The patients felt worse after the treatment."),
    ("The bar graph shows the highest value.", "The bar graph shows the lowest value."),
    ("Keep the valve above the water line.", "Keep the valve below the water line."),
    ("The wood is stronger when wet.", "The wood is weaker when wet."),
    ("The firm doubled its staff.", "The firm halved its staff."),
]
ORDERS = [
    ("Eat before running in the morning.", "Eat after running in the morning."),
    ("Sign the form prior to the visit.", "Sign the form following the visit."),
    ("The shop is open until noon.", "The shop is open since noon."),
    ("He served as mayor before the war.", "He served as mayor after the war."),
    ("She wrote her first novel in Paris.", "She wrote her last novel in Paris."),
    ("Rinse the glass after adding the soda.", "Rinse the glass before adding the soda."),
    ("The firm was previously owned by the state.", "The firm was subsequently owned by the state."),
    ("The tower fell before the fire.", "The tower fell after the fire."),
    ("Take the pill after meals.", "Take the pill before meals."),
    ("The road was closed before the storm.", "The road was closed after the storm."),
    ("The actor retired after the film.", "The actor retired before the film."),
    ("Heat the oil before adding the garlic.", "Heat the oil after adding the garlic."),
    ("He was her predecessor at the bank.", "He was her successor at the bank."),
    ("The mosque was rebuilt after the quake.", "The mosque was rebuilt before the quake."),
    ("Test the water before the swim.", "Test the water after the swim."),
]
QUANTIFIERS = [
    ("All employees receive a bonus in December.", "Some employees receive a bonus in December."),
    ("No employees receive a bonus in December.", "Some employees receive a bonus in December."),
    ("Every student passed the exam.", "Few students passed the exam."),
    ("Most birds of this kind migrate.", "Few birds of this kind migrate."),
    ("The device always restarts after an update.", "The device sometimes restarts after an update."),
    ("The device never restarts after an update.", "The device often restarts after an update."),
    ("Many patients report pain.", "Few patients report pain."),
    ("All samples contained lead.", "Most samples contained lead."),
    ("The train usually stops here.", "The train rarely stops here."),
    ("Few farmers use the new seed.", "All farmers use the new seed."),
    ("Each room has a balcony.", "Some rooms have a balcony."),
    ("Some of the victims were children.", "All of the victims were children."),
    ("The valve always leaks.", "The valve occasionally leaks."),
    ("All passengers survived the crash.", "Several passengers survived the crash."),
    ("The tests are typically free.", "The tests are rarely free."),
]
NO_QUANTIFIERS = [
    ("All employees receive a bonus.", "Every employee receives a bonus."),
    ("Many employees receive a bonus.", "Several employees receive a bonus."),
    ("Some known viruses infect plants.", "All bacteria and some known viruses infect plants."),
    ("The device usually restarts.", "The device typically restarts."),
    ("The most beautiful birds sing.", "All the most beautiful birds sing."),
    ("Employees receive a bonus.", "All employees receive a bonus."),
    ("Every room has a balcony.", "Each room has a balcony."),
    ("Some rooms have a balcony.", "Several rooms have a balcony."),
    ("The train often stops here.", "The train frequently stops here."),
    ("Many farmers use the seed.", "Most farmers use the seed; a few fear it."),
    ("All cats sleep.", "Some engines fail in winter."),
    ("Most birds migrate.", "Most birds migrate in autumn."),
    ("The tests are generally free.", "The tests are normally free."),
    ("Numerous patients report pain.", "Many patients report pain."),
    ("None of the samples held lead.", "No samples held lead."),
]


def kinds(claim: str, evidence: str) -> set[str]:
    return {conflict.kind for conflict in conflicts_between(claim, evidence)}


@examples(("claim", "evidence"), NEGATIONS)
def test_a_negation_on_one_side_is_a_conflict(claim: str, evidence: str) -> None:
    assert kinds(claim, evidence) & {"negation", "quantifier"}


@examples(("claim", "evidence"), ANTONYMS)
def test_an_opposite_is_a_conflict(claim: str, evidence: str) -> None:
    assert kinds(claim, evidence) == {"antonym"}


@examples(("claim", "evidence"), COMPARISONS)
def test_the_other_direction_is_a_conflict(claim: str, evidence: str) -> None:
    assert kinds(claim, evidence) & {"comparison", "antonym"}


@examples(("claim", "evidence"), ORDERS)
def test_the_other_order_is_a_conflict(claim: str, evidence: str) -> None:
    found = kinds(claim, evidence)
    assert found
    assert found <= {"order", "exchange"}


@examples(("claim", "evidence"), QUANTIFIERS)
def test_another_quantifier_is_a_conflict(claim: str, evidence: str) -> None:
    assert kinds(claim, evidence) & {"quantifier", "negation"}


def check_the_same_in_other_words_is_no_conflict(claim: str, evidence: str) -> None:
    assert kinds(claim, evidence) == set()


def test_the_same_in_other_words_is_no_conflict() -> None:
    assert (
        misses(check_the_same_in_other_words_is_no_conflict, NO_NEGATIONS + NO_ANTONYMS + NO_QUANTIFIERS)
        == []
    )


def check_a_sentence_does_not_contradict_itself(claim: str, evidence: str) -> None:
    assert kinds(claim, claim) == set()
    assert kinds(evidence, evidence) == set()


def test_a_sentence_does_not_contradict_itself() -> None:
    assert (
        misses(
            check_a_sentence_does_not_contradict_itself,
            [*NEGATIONS, *ANTONYMS, *COMPARISONS, *ORDERS, *QUANTIFIERS],
        )
        == []
    )


def check_opposites_conflict_both_ways(claim: str, evidence: str) -> None:
    assert kinds(evidence, claim) == kinds(claim, evidence)


def test_opposites_conflict_both_ways() -> None:
    assert misses(check_opposites_conflict_both_ways, [*ANTONYMS, *COMPARISONS]) == []
