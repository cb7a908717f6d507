"""Neutral user names: two plain words and a number, such as calm-river-42. They tell nothing about the person.

Every first word goes with every second one: none of them speaks of a person, a body or a size. There are about two
million names. Standard library only.
"""

import secrets

FIRST = """
able agile airy alert amber ample apt aqua arctic autumn basic blue bold brave breezy brief bright brisk calm candid
cheery chief clear clever cool copper coral cosmic cosy crisp curious daily deft direct eager early easy even exact
fair famous fancy festive final fine first fleet floral fluent fond formal frank free fresh frosty gentle glad golden
good grand green happy hidden honest ideal indigo jolly jovial joyful keen kind late lemon level light lilac lively
local loyal lucky lunar lush magic major marine mellow merry mild minty misty modern modest mossy mutual neat
new nimble noble normal novel open orange patient pearly placid plain polar polite prime proper proud quick quiet
rapid rare ready real regal royal ruby rustic sandy scenic serene sharp shiny silent silver simple sleek smart smooth
snowy solar solid sonic speedy stable starry steady sturdy subtle sunny super sure swift tidal true urban useful
velvet vital vivid warm wavy wintry wise witty zesty
""".split()  # noqa: SIM905 - a list of words is easier to read so
SECOND = """
acorn alder anchor apple arch arrow aspen atlas badge bamboo banner barley basil basket bay beacon bell bench birch
book bottle bridge brook bucket button cabin candle canoe canyon carpet castle cedar chalk circle clock cloud clover
coast comet compass creek cycle daisy dawn delta desert dome drum echo elm ember engine falcon feather fern
field finch fjord flute forest fossil fountain galaxy garden garlic gate geyser ginger glacier grove guitar harbor
harp hazel heron hill hinge island ivy jasmine jigsaw kayak kettle key kite ladder lagoon lake lamp lantern leaf ledger
lemon lentil lily linen lotus maple marble marker meadow meteor mirror moon mosaic mountain needle nest nickel
notebook nutmeg oak oasis oat ocean olive onion orbit orchard orchid owl paddle palette paper pearl pebble
pencil pepper petal piano pillow pine planet plum pocket pond poplar prairie prism puffin puzzle quartz quilt radio
rain rainbow raven reef ribbon ridge river robin rocket roof rose sail salmon satin saturn shell shore signal sky
sparrow spiral spring spruce square star statue stone stream summit sunset swallow table teapot temple thistle thunder
ticket tiger timber toast tower trail train tulip tunnel valley vase violin wagon walnut water wave whale wheat wheel
willow window wren yacht zebra zenith
""".split()  # noqa: SIM905 - a list of words is easier to read so
DIGITS = "23456789"  # not 0 and 1, which look like letters


def new_user_name() -> str:
    number = secrets.choice(DIGITS) + secrets.choice(DIGITS)
    return f"{secrets.choice(FIRST)}-{secrets.choice(SECOND)}-{number}"


def new_user_names(count: int) -> list[str]:
    """So many, all different."""
    names: set[str] = set()
    while len(names) < count:
        names.add(new_user_name())
    return sorted(names, key=lambda _: secrets.randbits(32))
