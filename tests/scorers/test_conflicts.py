"""Conflicts between a claim and a source, and pairs that agree in other words."""

from collections.abc import Callable

from every import each
from growth import grows_at_most

import pytest_grounding as pg
from pytest_grounding.model.verdict import Conflict
from pytest_grounding.reading.words import tokenize
from pytest_grounding.scorers.builtin.conflicts import conflicts_between, find_conflicts
from pytest_grounding.scorers.builtin.conflicts.conflict_search import candidates_of, with_bound
from pytest_grounding.scorers.builtin.conflicts.contest import Candidate, Contest
from pytest_grounding.scorers.builtin.conflicts.sentence_view import sources_of, view_of_claim
from pytest_grounding.scorers.builtin.token_index import index_of

#: Pairs of a claim and a source that contradict it, by what differs.
NUMBERS = [
    ("The battery lasts 10 hours on a full charge.", "The battery lasts 12 hours on a full charge."),
    ("The town has 5,000 inhabitants.", "The town has 8,000 inhabitants."),
    ("The club has twelve members in Oslo.", "The club has 15 members in Oslo."),
    ("The fee is $50 per month.", "The fee is $75 per month."),
    ("Sales rose by 5% last year.", "Sales rose by 8% last year."),
    ("Bake the bread for 30 minutes at low heat.", "Bake the bread for 45 minutes at low heat."),
    ("The bridge is 300 metres long.", "The bridge is 450 metres long."),
    ("She won third prize in the contest.", "She won first prize in the contest."),
    ("The lake is 5 km from the village.", "The lake is 5.9 km from the village."),
    ("The company employs 1.2 million people.", "The company employs 2.1 million people."),
    ("Cook the rice for 6 to 8 hours.", "Cook the rice for 2 to 3 hours."),
    ("More than 300 soldiers died in the battle.", "More than 30 soldiers died in the battle."),
    ("The trial covered half of the patients.", "The trial covered a quarter of the patients."),
    ("Refunds arrive within 3 days of the request.", "Refunds arrive within 10 days of the request."),
    ("The tower has 40 floors and a garden.", "The tower has 55 floors and a garden."),
    ("The oven must reach 350 degrees Fahrenheit.", "The oven must reach 250 degrees Fahrenheit."),
    ("A loan can be renewed only once.", "A loan can be renewed twice."),
    ("A loan can be renewed twice.", "A loan can be renewed only once."),
    ("The filter is changed once a year.", "The filter is changed three times a year."),
    ("The prize was awarded just once.", "The prize was awarded twice."),
    ("A group has at most nine people.", "A group has no more than eight people."),
]
UNITS = [
    ("Take 5 mg of the drug daily.", "Take 5 g of the drug daily."),
    ("The trip takes 3 days by ship.", "The trip takes 3 weeks by ship."),
    ("The wall is 6 feet high.", "The wall is 6 inches high."),
    ("Add 2 cups of sugar to the bowl.", "Add 2 teaspoons of sugar to the bowl."),
    ("The fee rose by 5 dollars.", "The fee rose by 5 percent."),
    ("The race is 10 miles long.", "The race is 10 kilometres long."),
    ("The baby weighed 7 kg at birth.", "The baby weighed 7 pounds at birth."),
    ("The contract lasts 2 months.", "The contract lasts 2 years."),
    ("The disk holds 500 MB of data.", "The disk holds 500 GB of data."),
    ("It costs €40 to enter the park.", "It costs $40 to enter the park."),
    ("The oven is set to 200 °F.", "The oven is set to 200 °C."),
    ("Rest the dough for 20 seconds.", "Rest the dough for 20 minutes."),
    ("The engine gives 90 kW.", "The engine gives 90 hp."),
    ("Water the plant every 4 hours.", "Water the plant every 4 weeks."),
    ("The tank holds 50 gallons.", "The tank holds 50 litres."),
    (
        "Cover the roast and let it rest for 30 hours.",
        "Cover the roast. It should rest 30 minutes in the pan.",
    ),
    ("The survey costs €500.", "You will pay $500 for the survey."),
    ("Dry the herbs at 40 °F.", "Herbs are dried in the oven at 40 °C or less."),
]
DATES = [
    ("The bridge opened in 1998.", "The bridge opened in 1989."),
    ("She was born on 3 May 1950.", "She was born on 4 May 1950."),
    ("The war ended in November 1918.", "The war ended in December 1918."),
    ("The store opens on Monday.", "The store opens on Tuesday."),
    ("The meeting starts at 10:30 am.", "The meeting starts at 11:30 am."),
    ("The temple was built in 300 BC.", "The temple was built in AD 300."),
    ("The band formed in the 1990s.", "The band formed in the 1970s."),
    ("The deadline is March 5.", "The deadline is March 15."),
    ("The law passed on 2020-05-01.", "The law passed on 2020-06-01."),
    ("The castle dates from the 12th century.", "The castle dates from the 15th century."),
    ("The film came out in 2001.", "The film came out in 2003."),
    ("The shop closes at 5 pm.", "The shop closes at 7 pm."),
    ("He moved to Rome in June 1999.", "He moved to Rome in July 1999."),
    ("The plague struck in 1347.", "The plague struck in 1437."),
    ("The ship sank on 14 April 1912.", "The ship sank on 24 April 1912."),
]
NEGATIONS = [
    ("Not opened.", "The tower was opened."),
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
    ("The nurses are overpaid.", "The nurses are underpaid."),
    ("The inflow of water is measured daily.", "The outflow of water is measured daily."),
    ("Admission is expensive for children.", "Admission is free for children."),
    ("The old clients of the firm stayed.", "The new clients of the firm stayed."),
    ("The trail runs uphill to the hut.", "The trail runs downhill to the hut."),
    ("The inspection of the plant was cursory.", "The inspection of the plant was thorough."),
    ("The council repealed the ban on fires.", "The council introduced the ban on fires."),
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
    ("All groups have eight people.", "No groups have eight people."),
]
ENTITIES = [
    (
        "The company was founded by Henrik Larsen in a garage.",
        "The company was founded by Olga Petrova in a garage.",
    ),
    (
        "The festival takes place in Toronto every summer.",
        "The festival takes place in Montreal every summer.",
    ),
    ("The novel was written by Tolstoy in his youth.", "The novel was written by Pushkin in his youth."),
    ("The bridge crosses the Danube near the old mill.", "The bridge crosses the Rhine near the old mill."),
    ("The treaty was signed in Vienna by both kings.", "The treaty was signed in Paris by both kings."),
    ("The engine is made by Volvo for small trucks.", "The engine is made by Scania for small trucks."),
    ("The vaccine was tested in Brazil on volunteers.", "The vaccine was tested in Chile on volunteers."),
    ("The team is coached by Anna Berg this season.", "The team is coached by Maria Holm this season."),
    ("The album was recorded in Nashville over a week.", "The album was recorded in Memphis over a week."),
    ("The law was proposed by Alvarez last week.", "The law was proposed by Whitman last week."),
    ("The airline flies daily to Lisbon from here.", "The airline flies daily to Madrid from here."),
    ("The painting hangs in the Louvre beside a window.", "The painting hangs in the Prado beside a window."),
    ("The app was bought by Microsoft for its maps.", "The app was bought by Oracle for its maps."),
    ("The statue honours Napoleon and his soldiers.", "The statue honours Wellington and his soldiers."),
    ("The river rises in Bavaria and flows east.", "The river rises in Saxony and flows east."),
]

#: Pairs that say the same, or that speak of different things.
EQUAL_NUMBERS = [
    ("Platform 5a is closed.", "Platform 7 is closed."),
    ("2) Bake the bread for 30 minutes.", "Bake the bread for 30 minutes at low heat."),
    ("The battery lasts 10 hours.", "The battery lasts ten hours on a full charge."),
    ("The town has 5,000 inhabitants.", "The town has 5000 inhabitants."),
    ("The lake is 5 km from the village.", "The lake is 5000 m from the village."),
    ("It takes one day to deliver.", "It takes 24 hours to deliver."),
    ("The town has about 50 shops.", "The town has 48 shops."),
    ("The company employs 1.2 million people.", "The company employs 1,234,567 people."),
    ("Cook the rice for 7 hours.", "Cook the rice for 6 to 8 hours."),
    ("The tower has more than 50 floors.", "The tower has 55 floors and a garden."),
    ("Half of the patients got better.", "50% of the patients got better."),
    ("The house has 4 rooms.", "The house has 4 rooms and 2 baths."),
    ("The house has 2 baths.", "The house has 4 rooms and 2 baths."),
    ("The oven must reach 177 °C.", "The oven must reach 350 degrees Fahrenheit."),
    ("1. Bake the bread for 30 minutes.", "Bake the bread for 30 minutes at low heat."),
    ("The cat sat on 2 mats.", "The price of oil was 85 dollars."),
    ("She paid a dozen workers.", "She paid 12 workers."),
    ("The largest daily dose is 1200 mg.", "Take no more than 1200 mg a day."),
    ("It lasts two weeks.", "It lasts 14 days, or two minutes in the microwave."),
    ("Bake at 350°F (175°C).", "Heat the oven to 350 F."),
    ("Money in a 401(k) is taxed later.", "Money in a 401k or an IRA is taxed later."),
    ("Groups may have at most eight people.", "Groups may have no more than eight people."),
    ("Groups must have at least eight people.", "Groups must have a minimum of eight people."),
    ("A group has at most eight people.", "A group has no more than eight people."),
]
EQUAL_UNITS = [
    ("The trip takes 3 weeks.", "The trip takes 21 days by ship."),
    ("The wall is 6 feet high.", "The wall is 72 inches high."),
    ("The race is 10 km long.", "The race is 10 kilometers long."),
    ("The contract lasts 2 years.", "The contract lasts 24 months."),
    ("The contract lasts 2.", "The contract lasts 2 years."),
    ("It costs 40 USD to enter.", "It costs $40 to enter the park."),
    ("The disk holds 1 TB.", "The disk holds 1000 GB."),
    ("The speed was 60 mph.", "The speed was 60 miles per hour."),
    ("The tank holds 3 gallons.", "The tank holds 3 gal of fuel."),
    ("Rest the dough for 60 seconds.", "Rest the dough for 1 minute."),
    ("The share was 25%.", "The share was a quarter of the total."),
    ("He is 15 years old.", "The 15-year-old won."),
    ("Rain was 400 inches per year.", "Rain was 400 inches per year in the hills."),
    ("The baby weighed 1000 grams.", "The baby weighed 1 kilogram."),
    ("It was 20 degrees in May.", "It was 20 °C in May."),
]
EQUAL_DATES = [
    ("The bridge opened in 1998.", "The bridge opened on 5 May 1998."),
    ("She was born on May 3rd, 1950.", "She was born on 3 May 1950."),
    ("The war ended on 11/11/1918.", "The war ended on 11 November 1918."),
    ("The band formed in the 1990s.", "The band formed in 1994."),
    ("The castle dates from the 12th century.", "The castle dates from 1150."),
    ("The law passed on May 1, 2020.", "The law passed on 2020-05-01."),
    ("The meeting starts at 10:30.", "The meeting starts at 10:30 am."),
    ("The shop closes at 17:00.", "The shop closes at 5 pm."),
    ("The bridge opened in 1998.", "The bridge opened in 1998 and closed in 2005."),
    ("The bridge closed in 2005.", "The bridge opened in 1998 and closed in 2005."),
    ("The plague struck around 1350.", "The plague struck in 1347."),
    ("The deadline is March 5.", "The deadline is March 5th, 2021."),
    ("The film came out in 2001.", "In 2001 the film came out."),
    ("He lived in Rome from 1990 to 1995.", "He lived in Rome from 1990 to 1995."),
    ("The temple was built in 300 BC.", "The temple was built 300 years before Christ."),
    ("It opened on 3 May 2001.", "Opening day was 2001-05-03."),
    ("It opened in May.", "It opened on 3/5/2001 and closed in June."),
]
SAME_NEGATIONS = [
    ("The gate is not open.", "Open."),
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
NO_OPPOSITES = [
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
    ("Outdoor cats have shorter lives than indoor cats.", "Indoor cats live longer than outdoor cats."),
    ("Children younger than eight need an adult.", "Children under eight need an adult."),
    ("The team stopped its work on the bridge.", "The team ended its work on the bridge."),
    ("The club excludes dogs.", "The club is open to people, but no dogs are allowed."),
    ("The contract was terminated by Anderson.", "Anderson cancelled the contract."),
    ("The complications of the birth were treated.", "Problems of the birth were treated."),
]
SAME_QUANTIFIERS = [
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
SAME_NAMES = [
    ("The company was founded by Larsen.", "The company was founded by Henrik Larsen in a garage."),
    ("The WHO approved the vaccine.", "The World Health Organization (WHO) approved the vaccine."),
    ("The festival takes place in Toronto.", "Every summer the festival takes place in Toronto, Canada."),
    ("The novel was written by Leo Tolstoy.", "The novel was written by Tolstoy in his youth."),
    ("The bridge crosses the Rhine.", "The bridge crosses the Rhine and the Danube."),
    ("The engine is made by Volvo.", "Volvo makes the engine for small trucks."),
    ("The U.S. signed the treaty.", "The US signed the treaty."),
    ("The Italian team won.", "The team of Italy won."),
    ("World War II ended there.", "World War Two ended there."),
    ("Rinse the glass with Water.", "Rinse the glass with water."),
    ("Place the pan on the stove.", "Put the pan on the stove."),
    ("The law was proposed by Alvarez.", "Senator Alvarez proposed the law last week."),
    ("Microsoft bought the app.", "The app was bought by Microsoft for its maps."),
    ("Paris is the capital of France.", "The capital of France is Paris."),
    ("Napoleon's soldiers fought.", "The soldiers of Napoleon fought."),
]
SAME_ROLES = [
    ("Acme acquired Globex in 2019.", "Globex was acquired by Acme in 2019."),
    ("Alice and Bob are tall.", "Bob and Alice are tall."),
    ("Germany defeated Brazil.", "Brazil was defeated by Germany in the final."),
    ("Amir Khan, a boxer from Bolton, won.", "Bolton boxer Amir Khan won."),
    ("The war between Rome and Carthage was long.", "The war between Carthage and Rome was long."),
    ("The lion hunts the zebra.", "At night the lion hunts the zebra."),
    ("Steel contains iron.", "Steel contains iron and carbon."),
    ("Anna met Martin in Oslo.", "In Oslo Anna met Martin."),
    ("The bank sued the court.", "The court was sued by the bank."),
    ("Smith works for Oracle.", "Smith works for Oracle and lives in Texas."),
    ("The moon attracts the ocean.", "Each day the moon attracts the ocean."),
    ("Gary Locke, the manager of Kilmarnock, signed.", "Kilmarnock manager Gary Locke signed."),
    ("Kepler wrote to Galileo.", "Kepler wrote to Galileo twice."),
    ("Iceland and Norway export fish.", "Norway and Iceland export fish."),
    ("Denmark invaded Sweden in winter.", "In winter Denmark invaded Sweden."),
    ("Northgate acquired Brightline.", "Brightline was acquired by Northgate in 2015."),
    ("Beaumont bought the restaurant from Kato.", "Kato sold the restaurant to Beaumont."),
    ("Amir met Viktor through Lena.", "Lena introduced Viktor to Amir at a conference in Lyon."),
    ("Lindqvist received a letter from Voss.", "Voss wrote the letter to Lindqvist in 1932."),
    ("Amir Khan, a boxer from Bolton, visited a park.", "The Bolton boxer Amir Khan visited a park."),
    ("Kestrel and Morrow signed the contract.", "Morrow and Kestrel signed the contract."),
    ("Earth is larger than Mars.", "Mars is smaller than Earth."),
    ("Belle's father Maurice is played by Kline.", "Kline plays Maurice, the father of Belle."),
    ("The difference between Ulm and Bonn is small.", "The difference between Bonn and Ulm is small."),
    ("Paris is famously known for the Eiffel Tower.", "The Eiffel Tower is a famous landmark in Paris."),
    ("Labour spent 26p, and Plaid spent 79p.", "Plaid spent 79p, Labour 26p."),
    ("The kidneys filter the blood.", "The blood is filtered by the kidneys."),
    ("A vault stores the keys.", "The keys are stored in a vault."),
    ("The keys are stored in a vault.", "A vault stores the keys."),
    ("Craters are formed by impacts of meteorites.", "Craters are caused by impacts of meteorites."),
    ("Agents are required by law to know this.", "Agents required by law to know this may guide you."),
    ("The wheat loaf sells worse than the rye loaf.", "The rye loaf sells better than the wheat loaf."),
    ("Cheese is made from milk.", "Milk is used to make cheese."),
    ("Rocks are made of stones.", "Stones are made of rocks, and rocks are made of stones."),
    ("The Earth is larger than Mars.", "Mars is smaller than the Earth."),
    ("The treaty came before the peace.", "The peace came after the treaty."),
    ("Water damage is not covered.", "Damage caused by water is not covered."),
    ("Beaumont bought the shop from Kato.", "Kato sold the shop to Beaumont."),
]


def kinds(claim: str, source: str) -> list[str]:
    return [conflict.kind for conflict in conflicts_between(claim, source)]


def candidates(claim: str, source: str) -> list[Candidate]:
    return candidates_of(Contest(view_of_claim(claim, tokenize(claim)), sources_of(source)))


def against(claim: str, *chunks: str, question: str = "") -> tuple[Conflict, ...]:
    """The conflicts of a claim with the chunks c0, c1, ..."""
    asked = frozenset(token.stem for token in tokenize(question) if not token.is_stop)
    ids = [f"c{number}" for number in range(len(chunks))]
    return find_conflicts(claim, tokenize(claim), [index_of(chunk) for chunk in chunks], ids, given=asked)


@each(
    *[("number", *pair) for pair in NUMBERS],
    *[("unit", *pair) for pair in UNITS],
    *[("date", *pair) for pair in DATES],
    *[("antonym", *pair) for pair in ANTONYMS],
    *[("entity", *pair) for pair in ENTITIES],
)
def test_one_conflict_of_one_kind_is_found(kind, claim, source):
    assert kinds(claim, source) == [kind]


@each(
    *[({"negation", "quantifier"}, *pair) for pair in NEGATIONS + QUANTIFIERS],
    *[({"comparison", "antonym"}, *pair) for pair in COMPARISONS],
    *[({"order", "exchange"}, *pair) for pair in ORDERS],
)
def test_a_conflict_of_a_related_kind_is_found(expected, claim, source):
    assert set(kinds(claim, source)) & expected
    assert "order" not in expected or set(kinds(claim, source)) <= expected


@each(
    *(EQUAL_NUMBERS + EQUAL_UNITS + EQUAL_DATES + SAME_NEGATIONS + NO_OPPOSITES + SAME_QUANTIFIERS),
    *(SAME_NAMES + SAME_ROLES),
)
def test_the_same_in_other_words_is_not_a_conflict(claim, source):
    assert kinds(claim, source) == []


@each(*(NEGATIONS + ANTONYMS + COMPARISONS + ORDERS + QUANTIFIERS))
def test_a_sentence_does_not_contradict_itself(claim, source):
    assert kinds(claim, claim) == kinds(source, source) == []


@each(*(ANTONYMS + COMPARISONS))
def test_opposites_conflict_both_ways(claim, source):
    assert set(kinds(source, claim)) == set(kinds(claim, source))


@each(
    ("antonym", "The price excludes breakfast.", "Breakfast is not part of the price."),
    ("antonym", "It becomes slower in the cold.", "It slows down in the cold."),
    ("antonym", "There are several options for a refund.", "A refund is paid in several ways."),
    ("antonym", "It is not useless to wear gloves.", "Wear gloves when you handle blood."),
    ("antonym", "The income of the farm grew.", "The outcome for the farm was that its earnings grew."),
    ("antonym", "He took several mild cheeses.", "He took several cheeses that were mild."),
    ("antonym", "The firm undertakes repairs.", "The firm overtakes others and does repairs."),
    (
        "antonym",
        "The position of the mill is good.",
        "Its negative side is noise; the place of the mill is good.",
    ),
    ("antonym", "Admission costs nothing for children.", "Admission is free for children."),
    ("antonym", "The final was closely contested.", "In the opening minutes the final was contested."),
    ("antonym", "Kids pay half.", "Children pay half."),
    ("antonym", "Senior citizens pay half.", "Children and seniors pay half."),
    ("antonym", "Pensioners and children pay half.", "Children pay half."),
    ("antonym", "Pensioners pay half.", "Children swim on Mondays. Retirees pay half."),
    ("antonym", "The tenant writes to the landlord.", "The landlord writes to the tenant."),
    ("antonym", "Members pay half.", "Children swim on Mondays."),
    ("quantifier", "Not all employees receive a bonus.", "Some employees receive a bonus."),
    ("number", "A loan can be renewed only once.", "A loan can be renewed once."),
    ("number", "Once the loan is renewed twice, it ends.", "The loan ends when it is renewed twice."),
    ("number", "The bridge was once painted red.", "The bridge was painted red twice."),
    ("number", "All guests arrived at once.", "All guests arrived twice."),
    ("number", "A loan can be renewed only once.", "A loan can be renewed once, a reservation twice."),
)
def test_words_that_only_look_opposed_are_not(kind, claim, source):
    """A name is no conflict either where groups of people are compared."""
    found = kinds(claim, source)
    assert kind not in found
    assert "entity" not in found


@each(
    ("Pensioners pay half.", "Children pay half of the price.", "antonym", "Pensioners", "Children"),
    ("The landlord pays the deposit.", "The tenant pays the deposit.", "antonym", "landlord", "tenant"),
    ("Sellers pay the costs of shipping.", "Buyers pay the shipping costs.", "antonym", "Sellers", "Buyers"),
    (
        "The two twins have identical fathers.",
        "The twins have different fathers.",
        "antonym",
        "identical",
        "different",
    ),
    (
        "Members may borrow at least ten books.",
        "Members may borrow up to ten books.",
        "number",
        "at least ten",
        "up to ten",
    ),
    ("The bag may weigh over 8 kg.", "The bag may weigh up to 8 kg.", "number", "over 8 kg", "up to 8 kg"),
    (
        "Groups need fewer than eight people.",
        "Groups need at least eight people.",
        "number",
        "fewer than eight",
        "at least eight",
    ),
    ("The fee is −12 euros.", "The fee is 12 euros.", "number", "−12 euros", "12 euros"),
    (
        "The gym opens 3 times a week.",
        "The gym opens 3 times a day.",
        "number",
        "3 times a week",
        "3 times a day",
    ),
    (
        "The oldest bakery belongs to Quillfeather.",
        "The oldest bakery belongs to Smith.",
        "entity",
        "Quillfeather",
        "Smith",
    ),
)
def test_a_conflict_shows_the_words_that_differ(claim, source, kind, ours, theirs):
    (found,) = conflicts_between(claim, source)
    assert (found.kind, found.claim_text, found.evidence_text) == (kind, ours, theirs)
    assert claim[found.claim_start :].startswith(ours)


@each(
    ("Customers pay", "Customers do not pay", "$6 monthly", "not pay the $6 monthly"),
    ("You don't pay", "You pay", "don't pay the $6 monthly", "$6 monthly"),
)
def test_a_denied_value_is_shown_with_its_denial(claim, source, ours, theirs):
    fee = "the $6 monthly fee."
    conflicts = conflicts_between(f"{claim} {fee}", f"{source} {fee}")
    (found,) = (item for item in conflicts if "$6" in item.claim_text)
    assert (found.claim_text, found.evidence_text) == (ours, theirs)
    assert f"{claim} {fee}"[found.claim_start :].startswith(ours)
    assert found.message == f'negation: the claim says "{ours}", the source says "{theirs}"'


def test_a_word_that_excludes_what_the_source_names_is_a_conflict():
    claim = "The tour covers three towns, excluding Bremen and Celle."
    source = "The tour covers three towns: Bremen, Celle and Ulm. It is not held in winter."
    assert [item.claim_text for item in conflicts_between(claim, source)] == ["excluding"]


def test_a_limit_is_read_from_the_words_on_both_sides():
    text = "It takes no more than ten days, or 20 or more."
    at = text.index("ten")
    assert text[slice(*with_bound(text, at, at + 3))] == "no more than ten"
    at = text.index("20")
    assert text[slice(*with_bound(text, at, at + 2))] == "20 or more"
    assert with_bound("ten", 0, 3) == (0, 3)


def test_a_month_that_no_source_names_is_compared_with_the_date_of_the_same_day():
    claim = "On February 23rd the high is 82 degrees."
    source = "The forecast for Aug 23 is 82 degrees and sunny."
    (found,) = (one for one in candidates(claim, source) if one.kind == "date")
    assert claim[found.start : found.end] == "February 23rd"
    assert source[found.rival_start : found.rival_end] == "Aug 23"


def test_a_number_that_another_chunk_gives_for_the_same_words_is_not_a_conflict():
    claim = "The battery lasts 10 hours in flight mode."
    chunks = ["The battery lasts 12 hours on a full charge.", "In flight mode the battery lasts 10 hours."]
    assert against(claim, *chunks) == ()


def test_a_number_that_another_chunk_gives_for_something_else_is_a_conflict():
    claim = "The battery lasts 40 hours on a full charge."
    chunks = ["The battery lasts 12 hours on a full charge.", "The warranty covers 40 hours of repair work."]
    (found,) = against(claim, *chunks)
    assert (found.kind, found.severity, found.evidence.chunk_id) == ("number", "error", "c0")
    assert (found.claim_text, found.evidence_text) == ("40 hours", "12 hours")
    assert found.claim_start == claim.index("40")


def test_a_number_that_no_source_gives_is_missing_and_not_a_conflict():
    claim = "The garden of the old castle has 4711 roses."
    source = "The garden of the old castle has many roses."
    assert conflicts_between(claim, source) == ()
    found = pg.support(claim, [source])
    assert found.missing == ("4711",)
    assert found.probability <= 0.5


def test_a_name_from_elsewhere_in_the_sources_is_a_conflict():
    claim = "The company was founded by Henrik Larsen in a garage."
    chunks = ["The company was founded by Olga Petrova in a garage.", "Today Henrik Larsen leads the board."]
    (found,) = against(claim, *chunks)
    assert (found.kind, found.evidence.chunk_id, found.evidence_text) == ("entity", "c0", "Olga Petrova")
    source = (
        "The first direct tax was imposed by Parliament in 1765. Franklin went to London. "
        "The colonists burned the paper."
    )
    claim = "The first direct tax was imposed by Franklin."
    (found,) = against(claim, source, question="Why were the colonists upset?")
    assert (found.kind, found.evidence_text) == ("entity", "Parliament")


def test_a_name_joined_to_the_same_verb_is_not_an_error():
    claim = "In spring the act was repealed by Congress."
    assert kinds(claim, "In spring the act was repealed by Parliament. Congress met in autumn.") == ["entity"]
    joined = conflicts_between(claim, "In spring the act was repealed by Parliament and Congress.")
    assert "error" not in [item.severity for item in joined]


def test_a_sentence_may_leave_out_the_name_that_the_question_is_about():
    source = "Bucharest lies in Romania. The average temperature in summer is around 23 degrees."
    claim = "The average summer temperature in Bucharest is around 23 degrees."
    assert against(claim, source, question="How warm is Bucharest in summer?") == ()


def test_saying_that_the_sources_do_not_mention_something_is_not_a_conflict():
    claim = "The price of tea is not mentioned in the passages."
    assert against(claim, "The name Teresa means harvester.") == ()


@each(
    ("If this doesn't work, shut the door.", "Shut the door and lock it.", "unsure"),
    ("You may not be able to peel it off.", "You may be able to peel it off.", "unsure"),
    ("Use netting that doesn't entangle birds.", "Use netting that is safe for birds.", "unsaid"),
)
def test_denying_a_condition_or_a_possibility_is_doubtful(claim, source, doubt):
    (found,) = (one for one in candidates(claim, source) if one.kind == "negation")
    assert doubt in found.doubts
    assert not candidates(source, source)


def test_denying_a_fact_has_higher_odds_than_denying_a_possibility():
    (sure,) = conflicts_between("You are not able to peel it off.", "You are able to peel it off.")
    (doubted,) = conflicts_between("You may not be able to peel it off.", "You may be able to peel it off.")
    assert sure.severity == "error"
    assert (sure.log_odds or 0) > (doubted.log_odds or 0) + 0.5


def test_many_names_cost_no_square():
    def work(count: int) -> Callable[[], object]:
        names = [f"Person{chr(97 + number % 26)}{chr(97 + number // 26 % 26)}" for number in range(count)]
        claim = " met ".join(names)
        source = " met ".join(reversed(names)) + "."
        return lambda: conflicts_between(claim, source)

    # Four times as many names; the square would cost sixteen times as much.
    assert grows_at_most(9, work(100), work(400), floor=0.005)
