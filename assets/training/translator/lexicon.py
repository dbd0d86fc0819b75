"""The words of the small English–Chinese grammar: tables only, for grammar.py.

A noun has a class; a class says which verbs, adjectives and prepositions it goes with. Chinese words are the tokens
that the models read and write; where a word has several, they are separated by spaces.
"""
import collections

Noun = collections.namedtuple("Noun", "one many zh measure kind")
Adjective = collections.namedtuple("Adjective", "en zh before particle predicate kinds")
Verb = collections.namedtuple("Verb", "base s past ing zh subjects objects marks")

# class: lines of "singular plural Chinese measure word"; a plural of "-" is not used, a measure word of "-" is of what
# isn't counted.
NOUNS = {
    "man": "boy boys 男孩 个, man men 男人 个, father - 父亲 位, brother brothers 哥哥 个, king kings 国王 位, "
           "uncle uncles 叔叔 位, grandfather - 爷爷 位",
    "woman": "girl girls 女孩 个, woman women 女人 个, mother - 母亲 位, sister sisters 姐姐 个, queen queens 女王 位, "
             "aunt aunts 阿姨 位, grandmother - 奶奶 位",
    "person": "teacher teachers 老师 位, student students 学生 名, doctor doctors 医生 位, child children 孩子 个, "
              "friend friends 朋友 位, farmer farmers 农民 位, driver drivers 司机 位, worker workers 工人 名, "
              "singer singers 歌手 位, writer writers 作家 位, player players 球员 名",
    "animal": "cat cats 猫 只, dog dogs 狗 只, bird birds 鸟 只, rabbit rabbits 兔子 只, monkey monkeys 猴子 只, "
              "tiger tigers 老虎 只, mouse mice 老鼠 只, fox foxes 狐狸 只, duck ducks 鸭子 只, bear bears 熊 头, "
              "lion lions 狮子 头, elephant elephants 大象 头, cow cows 牛 头, pig pigs 猪 头, horse horses 马 匹, "
              "snake snakes 蛇 条, animal animals 动物 只",
    "furniture": "mat mats 垫子 张, table tables 桌子 张, bed beds 床 张, chair chairs 椅子 把, sofa sofas 沙发 张, "
                 "desk desks 书桌 张, bench benches 长椅 张, carpet carpets 地毯 块",
    "container": "box boxes 箱子 个, bag bags 包 个, basket baskets 篮子 个, cup cups 杯子 个, bottle bottles 瓶子 个, "
                 "bowl bowls 碗 个, drawer drawers 抽屉 个, suitcase suitcases 手提箱 个",
    "way": "street streets 街道 条, road roads 路 条, river rivers 河 条, bridge bridges 桥 座, "
           "square squares 广场 个, field fields 田野 片",
    "place": "park parks 公园 座, garden gardens 花园 座, school schools 学校 所, hospital hospitals 医院 家, "
             "library libraries 图书馆 座, museum museums 博物馆 座, market markets 市场 个, station stations 车站 座, "
             "shop shops 商店 家, hotel hotels 酒店 家, kitchen kitchens 厨房 间, room rooms 房间 间, "
             "house houses 房子 座, office offices 办公室 间, city cities 城市 座, village villages 村庄 座",
    "food": "apple apples 苹果 个, cake cakes 蛋糕 块, egg eggs 鸡蛋 个, banana bananas 香蕉 根, pear pears 梨 个, "
            "orange oranges 橙子 个, sandwich sandwiches 三明治 个, cookie cookies 饼干 块, tomato tomatoes 西红柿 个, "
            "fish - 鱼 条",
    "drink": "water - 水 -, milk - 牛奶 -, tea - 茶 -, coffee - 咖啡 -, juice - 果汁 -, soup - 汤 -",
    "text": "book books 书 本, letter letters 信 封, newspaper newspapers 报纸 份, magazine magazines 杂志 本, "
            "story stories 故事 个, poem poems 诗 首, dictionary dictionaries 词典 本",
    "garment": "shirt shirts 衬衫 件, coat coats 外套 件, sweater sweaters 毛衣 件, jacket jackets 夹克 件, "
               "dress dresses 连衣裙 条, skirt skirts 裙子 条",
    "accessory": "hat hats 帽子 顶, watch watches 手表 块, ring rings 戒指 枚, necklace necklaces 项链 条, "
                 "scarf scarves 围巾 条, mask masks 面具 个",
    "instrument": "piano pianos 钢琴 架, guitar guitars 吉他 把, violin violins 小提琴 把, cello cellos 大提琴 把, "
                  "flute flutes 笛子 支, trumpet trumpets 小号 把",
    "vehicle": "car cars 汽车 辆, bus buses 公交车 辆, train trains 火车 列, ship ships 轮船 艘, truck trucks 卡车 辆, "
               "bicycle bicycles 自行车 辆, taxi taxis 出租车 辆",
    "thing": "ball balls 球 个, knife knives 刀 把, key keys 钥匙 把, umbrella umbrellas 雨伞 把, pen pens 钢笔 支, "
             "door doors 门 扇, window windows 窗户 扇, lamp lamps 灯 盏, phone phones 手机 部, "
             "computer computers 电脑 台, clock clocks 时钟 座, machine machines 机器 台, camera cameras 相机 台, "
             "toy toys 玩具 个, picture pictures 画 幅, gift gifts 礼物 份, game games 游戏 个",
    "nature": "tree trees 树 棵, flower flowers 花 朵, stone stones 石头 块",
}
# Two senses, decided by the words around: never drawn by class.
BAT = {"animal": Noun("bat", "bats", "蝙蝠", "只", "animal"), "thing": Noun("bat", "bats", "球棒", "根", "thing")}
BANK = {"place": Noun("bank", "banks", "银行", "家", "place"), "way": Noun("bank", "banks", "河岸", "段", "way")}

NAMES = {"tom": ("汤姆", "m"), "john": ("约翰", "m"), "peter": ("彼得", "m"), "mary": ("玛丽", "f"),
         "anna": ("安娜", "f"), "lucy": ("露西", "f"), "alice": ("爱丽丝", "f")}

MEN, ANIMATE = "man woman person", "man woman person animal"
GOODS = "furniture container text garment accessory instrument vehicle thing"
ALL_THINGS = GOODS + " food way place drink nature"

# English, Chinese; Chinese before a noun, with 的 or not; how it is said of a noun: "很" (很大), "是" (是黑色的),
# "了" (病了); classes. "-" in the place before a noun: it does not come there.
ADJECTIVES = [line.split("|") for line in f"""
big|大|大||很|animal furniture container text vehicle food place thing way nature
small|小|小||很|animal furniture container text vehicle food place thing garment nature
new|新|新||很|{GOODS}
young|年轻|年轻|的|很|{MEN}
tall|高|高大|的|很|man tree
beautiful|漂亮|漂亮|的|很|woman place garment accessory thing nature
ugly|难看|难看|的|很|animal furniture garment accessory vehicle
black|黑色|黑色|的|是|animal furniture container garment accessory vehicle instrument
white|白色|白色|的|是|animal furniture container garment accessory vehicle instrument
red|红色|红色|的|是|furniture container garment accessory vehicle
green|绿色|绿色|的|是|furniture container garment accessory vehicle
blue|蓝色|蓝色|的|是|furniture container garment accessory vehicle
cheap|便宜|便宜|的|很|{GOODS} food pet
expensive|贵|昂贵|的|很|{GOODS} food
heavy|重|沉重|的|很|furniture container machine
clean|干净|干净|的|很|furniture container garment place
dirty|脏|脏|的|很|furniture container garment place
broken|坏|坏|的|了|furniture instrument vehicle
empty|空|空|的|是|container
interesting|有趣|有趣|的|很|text
boring|无聊|无聊|的|很|text
important|重要|重要|的|很|text
delicious|好吃|好吃|的|很|food
sweet|甜|甜|的|很|food
sour|酸|酸|的|很|food
fresh|新鲜|新鲜|的|很|food
hot|热|热||很|drink
cold|凉|凉||很|drink
warm|暖和|暖和|的|很|garment
wide|宽|宽阔|的|很|way
narrow|窄|狭窄|的|很|way
long|长|长长|的|很|way
dangerous|危险|危险|的|很|way
quiet|安静|安静|的|很|place
noisy|吵|吵闹|的|很|place
famous|有名|有名|的|很|person place text
tired|累|疲惫|的|很|{ANIMATE}
hungry|饿|饥饿|的|很|{ANIMATE}
thirsty|渴|口渴|的|很|{ANIMATE}
happy|高兴|快乐|的|很|{MEN}
sad|难过|悲伤|的|很|{MEN}
angry|生气|愤怒|的|很|{ANIMATE}
afraid|害怕|-||很|{ANIMATE}
sleepy|困|困倦|的|很|{ANIMATE}
sick|病|生病|的|了|{ANIMATE}
lazy|懒|懒惰|的|很|{ANIMATE}
clever|聪明|聪明|的|很|{ANIMATE}
kind|善良|善良|的|很|{MEN}
brave|勇敢|勇敢|的|很|{ANIMATE}
strong|强壮|强壮|的|很|man animal
poor|穷|贫穷|的|很|man person
rich|富有|富有|的|很|man woman person
old|老|老||很|{ANIMATE}
old|旧|旧||很|{GOODS}
old|古老|古老|的|很|way place
busy|忙|忙碌|的|很|{MEN}
busy|繁忙|繁忙|的|很|way
""".strip().splitlines()]

COMPARATIVES = {"bigger": ("大", "animal furniture container vehicle place"), "smaller": ("小", "animal furniture container vehicle place"),
                "cheaper": ("便宜", GOODS + " food"), "faster": ("快", "animal vehicle"), "wider": ("宽", "way"),
                "stronger": ("强壮", "man animal"), "taller": ("高", "man"), "heavier": ("重", "container furniture"),
                "sweeter": ("甜", "food"), "younger": ("年轻", MEN), "cleverer": ("聪明", ANIMATE)}

# base third-person past progressive | Chinese | subjects | objects | marks
# marks: s (a state: neither 了 nor 正在), p (has a progressive), d (goes with "every day")
VERBS = [Verb(*line.split("|")[0].split(), *line.split("|")[1:]) for line in f"""
buy buys bought buying|买|{MEN}|{GOODS} food drink animal|d
sell sells sold selling|卖|{MEN}|{GOODS} food drink animal|d
see sees saw seeing|看见|{ANIMATE}|{ALL_THINGS} {ANIMATE}|
find finds found finding|找到|{ANIMATE}|container text accessory food thing animal|
lose loses lost losing|弄丢|{MEN}|text accessory garment|
like likes liked liking|喜欢|{ANIMATE}|{ALL_THINGS} {ANIMATE}|s
hate hates hated hating|讨厌|{ANIMATE}|{ALL_THINGS} {ANIMATE}|s
want wants wanted wanting|想要|{MEN}|{GOODS} food drink animal|s
need needs needed needing|需要|{MEN}|{GOODS} food drink animal {MEN}|s
have has had having|有|{MEN}|{GOODS} animal|s
know knows knew knowing|认识|{MEN}|{MEN}|s
love loves loved loving|爱|{MEN}|{MEN}|s
miss misses missed missing|想念|{MEN}|{MEN}|s
help helps helped helping|帮助|{MEN}|{MEN} animal|pd
meet meets met meeting|遇到|{MEN}|{MEN}|
invite invites invited inviting|邀请|{MEN}|{MEN}|
thank thanks thanked thanking|感谢|{MEN}|{MEN}|
follow follows followed following|跟着|{ANIMATE}|{ANIMATE}|pn
chase chases chased chasing|追赶|animal|animal {MEN}|p
feed feeds fed feeding|喂|{MEN}|animal|pd
eat eats ate eating|吃|{ANIMATE}|food|pd
drink drinks drank drinking|喝|{ANIMATE}|drink|pd
cook cooks cooked cooking|煮|{MEN}|soup_egg|pd
read reads read reading|读|{MEN}|text|pd
write writes wrote writing|写|{MEN}|written|pd
open opens opened opening|打开|{MEN}|container door|p
close closes closed closing|关上|{MEN}|door|p
break breaks broke breaking|打碎|{ANIMATE}|glass|
clean cleans cleaned cleaning|打扫|{MEN}|place|pd
wash washes washed washing|洗|{MEN}|garment container vehicle food|pd
repair repairs repaired repairing|修理|{MEN}|furniture instrument vehicle machine|pd
draw draws drew drawing|画|{MEN}|animal plant|pd
push pushes pushed pushing|推|{MEN} animal|furniture container vehicle|p
pull pulls pulled pulling|拉动|{MEN} animal|furniture container vehicle|p
carry carries carried carrying|搬运|{MEN}|furniture container|p
steal steals stole stealing|偷走|{MEN} fox_monkey|paper accessory food vehicle|
drive drives drove driving|驾驶|{MEN}|motor|pn
visit visits visited visiting|参观|{MEN}|sight|
visit visits visited visiting|看望|{MEN}|{MEN}|
cross crosses crossed crossing|穿过|{ANIMATE}|way|p
""".strip().splitlines()]
# Groups of nouns that cut across the classes.
GROUPS = {"soup_egg": ["soup", "egg", "tomato", "coffee", "tea"], "door": ["door", "window"],
          "glass": ["window", "cup", "bottle", "bowl", "lamp"], "machine": ["machine", "computer", "clock", "camera", "phone", "lamp"],
          "plant": ["tree", "flower"], "written": ["letter", "story", "poem", "book"], "tree": ["tree"],
          "paper": ["book", "letter", "newspaper", "magazine", "dictionary"],
          "pet": ["cat", "dog", "bird", "rabbit", "duck", "horse", "cow", "pig"], "motor": ["car", "bus", "truck", "taxi"],
          "sight": ["museum", "school", "hospital", "city", "village", "garden", "library"],
          "fox_monkey": ["fox", "monkey", "mouse", "cat"]}

# base third-person past progressive | Chinese | subjects | classes of place | preposition
POSTURES = [Verb(*line.split("|")[0].split(), *line.split("|")[1:], "") for line in f"""
sit sits sat sitting|坐|{ANIMATE}|on
lie lies lay lying|躺|{ANIMATE}|on
sleep sleeps slept sleeping|睡|{ANIMATE}|on
stand stands stood standing|站|{ANIMATE}|stand
hide hides hid hiding|躲|{ANIMATE}|hide
stay stays stayed staying|待|{ANIMATE}|in
live lives lived living|住|{MEN}|live
""".strip().splitlines()]

# What is done in a place: Chinese without an object, then with 了; None: not said alone in the past.
ACTIONS = [Verb(*line.split("|")[0].split(), *line.split("|")[1:], "") for line in f"""
rest rests rested resting|休息|{ANIMATE}|休息 了
cry cries cried crying|哭|{MEN}|哭 了
laugh laughs laughed laughing|笑|{MEN}|笑 了
sing sings sang singing|唱歌|{MEN}|唱 了 歌
dance dances danced dancing|跳舞|{MEN}|跳 了 舞
swim swims swam swimming|游泳|{ANIMATE}|游 了 泳
wait waits waited waiting|等待|{MEN}|等待
study studies studied studying|学习|{MEN}|学习
work works worked working|工作|{MEN}|工作
run runs ran running|跑步|{MEN}|跑 了 步
run runs ran running|奔跑|animal|奔跑
play plays played playing|玩耍|{ANIMATE}|玩耍
""".strip().splitlines()]

PREPOSITIONS = {"on": "上", "in": "里", "under": "下面", "behind": "后面", "near": "附近", "beside": "旁边"}

# What isn't said of single nouns of a class, though it is of the others.
NOT_SAID = {noun: set(words.split()) for noun, words in {
    "story": "cheap expensive big small new heavy", "poem": "cheap expensive big small heavy", "gift": "old broken", "game": "big small",
    "letter": "cheap expensive big small interesting boring famous", "newspaper": "expensive famous", "fish": "sweet sour",
    "egg": "sweet sour", "field": "busy narrow", "square": "long narrow dangerous", "bridge": "", "river": "busy",
    "door": "cheap expensive", "window": "cheap expensive", "mat": "heavy empty", "carpet": "empty", "street": "", "soup": "",
    "flower": "tall", "stone": "tall", "basket": "heavy", "cup": "heavy", "bowl": "heavy", "king": "poor", "queen": "poor",
    "child": "rich old", "boy": "rich old", "girl": "rich old", "grandfather": "young", "grandmother": "young",
    "water": "", "mother": "young ugly", "kitchen": "famous", "room": "famous", "house": "", "office": "famous old",
    "picture": "", "toy": "", "elephant": "big small", "mouse": "old", "tiger": "old", "teacher": "old"}.items()}
# Whom nobody calls his own.
NOBODYS = ["man", "woman", "king", "queen", "worker", "farmer", "singer", "writer", "player", "driver", "animal", "river", "street",
           "road", "square", "station", "museum", "market"]
# What can be a reason: other adjectives are said of almost anything.
REASONS = set("""tired hungry thirsty happy sad angry afraid sleepy sick lazy clever kind brave poor rich busy wide narrow long dangerous
quiet noisy famous delicious sweet sour fresh hot cold warm interesting boring important cheap expensive heavy broken dirty clean empty
beautiful ugly young old strong""".split())
# Why one goes to a place or not; and what is no reason where it is said of somebody.
COMFORTS = set("wide narrow long dangerous busy quiet noisy clean dirty empty".split())
NOT_WHY = set("cheap famous beautiful ugly strong".split())
