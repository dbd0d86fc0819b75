#include "core/scene/colormap_data.h"

#include <algorithm>
#include <string_view>

namespace headscope {
namespace {

// 256 colours each, two digits for red, green and blue.
// Viridis, magma: S. van der Walt, N. Smith; cividis: J. Nuñez, C. Anderton, R. Renslow (public domain), as
// matplotlib's to_hex gives them, rounded to the nearest. Greys: equal steps of CIE L*. Diverging: blue and
// red of hues 285 and 36 degrees in CIE LCh, L* from 97 in the middle to 37, chroma 52 sin.
// clang-format off
constexpr std::string_view viridis =
    "44015444025645045745055946075a46085c460a5d460b5e470d60470e61471063471164471365481467481668481769"
    "48186a481a6c481b6d481c6e481d6f481f70482071482173482374482475482576482677482878482979472a7a472c7a"
    "472d7b472e7c472f7d46307e46327e46337f463480453581453781453882443983443a83443b84433d84433e85423f85"
    "4240864241864142874144874045884046883f47883f48893e49893e4a893e4c8a3d4d8a3d4e8a3c4f8a3c508b3b518b"
    "3b528b3a538b3a548c39558c39568c38588c38598c375a8c375b8d365c8d365d8d355e8d355f8d34608d34618d33628d"
    "33638d32648e32658e31668e31678e31688e30698e306a8e2f6b8e2f6c8e2e6d8e2e6e8e2e6f8e2d708e2d718e2c718e"
    "2c728e2c738e2b748e2b758e2a768e2a778e2a788e29798e297a8e297b8e287c8e287d8e277e8e277f8e27808e26818e"
    "26828e26828e25838e25848e25858e24868e24878e23888e23898e238a8d228b8d228c8d228d8d218e8d218f8d21908d"
    "21918c20928c20928c20938c1f948c1f958b1f968b1f978b1f988b1f998a1f9a8a1e9b8a1e9c891e9d891f9e891f9f88"
    "1fa0881fa1881fa1871fa28720a38620a48621a58521a68522a78522a88423a98324aa8325ab8225ac8226ad8127ad81"
    "28ae8029af7f2ab07f2cb17e2db27d2eb37c2fb47c31b57b32b67a34b67935b77937b87838b9773aba763bbb753dbc74"
    "3fbc7340bd7242be7144bf7046c06f48c16e4ac16d4cc26c4ec36b50c46a52c56954c56856c66758c7655ac8645cc863"
    "5ec96260ca6063cb5f65cb5e67cc5c69cd5b6ccd5a6ece5870cf5773d05675d05477d1537ad1517cd2507fd34e81d34d"
    "84d44b86d54989d5488bd6468ed64590d74393d74195d84098d83e9bd93c9dd93ba0da39a2da37a5db36a8db34aadc32"
    "addc30b0dd2fb2dd2db5de2bb8de29bade28bddf26c0df25c2df23c5e021c8e020cae11fcde11dd0e11cd2e21bd5e21a"
    "d8e219dae319dde318dfe318e2e418e5e419e7e419eae51aece51befe51cf1e51df4e61ef6e620f8e621fbe723fde725";
constexpr std::string_view magma =
    "00000401000501010601010802010902020b02020d03030f03031204041405041606051806051a07061c08071e090720"
    "0a08220b09240c09260d0a290e0b2b100b2d110c2f120d31130d34140e36150e38160f3b180f3d19103f1a10421c1044"
    "1d11471e114920114b21114e22115024125325125527125829115a2a115c2c115f2d11612f1163311165331067341069"
    "36106b38106c390f6e3b0f703d0f713f0f72400f74420f75440f764510774710784910784a10794c117a4e117b4f127b"
    "51127c52137c54137d56147d57157e59157e5a167e5c167f5d177f5f187f601880621980641a80651a80671b80681c81"
    "6a1c816b1d816d1d816e1e81701f81721f817320817521817621817822817922827b23827c23827e2482802582812581"
    "8326818426818627818827818928818b29818c29818e2a81902a81912b81932b80942c80962c80982d80992d809b2e7f"
    "9c2e7f9e2f7fa02f7fa1307ea3307ea5317ea6317da8327daa337dab337cad347cae347bb0357bb2357bb3367ab5367a"
    "b73779b83779ba3878bc3978bd3977bf3a77c03a76c23b75c43c75c53c74c73d73c83e73ca3e72cc3f71cd4071cf4070"
    "d0416fd2426fd3436ed5446dd6456cd8456cd9466bdb476adc4869de4968df4a68e04c67e24d66e34e65e44f64e55064"
    "e75263e85362e95462ea5661eb5760ec5860ed5a5fee5b5eef5d5ef05f5ef1605df2625df2645cf3655cf4675cf4695c"
    "f56b5cf66c5cf66e5cf7705cf7725cf8745cf8765cf9785df9795df97b5dfa7d5efa7f5efa815ffb835ffb8560fb8761"
    "fc8961fc8a62fc8c63fc8e64fc9065fd9266fd9467fd9668fd9869fd9a6afd9b6bfe9d6cfe9f6dfea16efea36ffea571"
    "fea772fea973feaa74feac76feae77feb078feb27afeb47bfeb67cfeb77efeb97ffebb81febd82febf84fec185fec287"
    "fec488fec68afec88cfeca8dfecc8ffecd90fecf92fed194fed395fed597fed799fed89afdda9cfddc9efddea0fde0a1"
    "fde2a3fde3a5fde5a7fde7a9fde9aafdebacfcecaefceeb0fcf0b2fcf2b4fcf4b6fcf6b8fcf7b9fcf9bbfcfbbdfcfdbf";
constexpr std::string_view cividis =
    "00224e00234f00245100255300255400265600275800285900285b00295d002a5f002a61002b62002c64002c66002d68"
    "002e6a002e6c002f6d00306f0030700031700031710132710533710833700c34700f357012357014367016377018376f"
    "1a386f1c396f1e3a6f203a6f213b6e233c6e243c6e263d6e273e6e293f6e2a3f6d2b406d2d416d2e416d2f426d31436d"
    "32436d33446d34456c35456c36466c38476c39486c3a486c3b496c3c4a6c3d4a6c3e4b6c3f4c6c404c6c414d6c424e6c"
    "434e6c444f6c45506c46516c47516c48526c49536c4a536c4b546c4c556c4d556c4e566c4f576c50576c51586d52596d"
    "535a6d545a6d555b6d555c6d565c6d575d6d585e6d595e6e5a5f6e5b606e5c616e5d616e5e626e5e636f5f636f60646f"
    "61656f62656f636670646770656870656870666970676a71686a71696b716a6c716b6d726c6d726c6e726d6f726e6f73"
    "6f70737071737172747272747273747374757474757575757676767777767777777878777979777a7a787b7a787c7b78"
    "7d7c787e7c787e7d787f7e78807f78817f788280798381798482798582798683798784788885788985788a86788b8778"
    "8c88788d88788e89788f8a78908b78918b78928c78928d78938e78948e77958f779690779791779892779992779a9376"
    "9b94769c95769d95769e96769f9775a09875a19975a29975a39a74a49b74a59c74a69c74a79d73a89e73a99f73aaa073"
    "aba072aca172ada272aea371afa471b0a571b1a570b3a670b4a76fb5a86fb6a96fb7a96eb8aa6eb9ab6dbaac6dbbad6d"
    "bcae6cbdae6cbeaf6bbfb06bc0b16ac1b26ac2b369c3b369c4b468c5b568c6b667c7b767c8b866c9b965cbb965ccba64"
    "cdbb63cebc63cfbd62d0be62d1bf61d2c060d3c05fd4c15fd5c25ed6c35dd7c45cd9c55cdac65bdbc75adcc859ddc858"
    "dec958dfca57e0cb56e1cc55e2cd54e4ce53e5cf52e6d051e7d150e8d24fe9d34eead34cebd44bedd54aeed649efd748"
    "f0d846f1d945f2da44f3db42f5dc41f6dd3ff7de3ef8df3cf9e03afbe138fce236fde334fee434fee535fee636fee838";
constexpr std::string_view greys =
    "fffffffefefefdfdfdfcfcfcfafafaf9f9f9f8f8f8f7f7f7f6f6f6f5f5f5f4f4f4f3f3f3f1f1f1f0f0f0efefefeeeeee"
    "edededecececebebebeaeaeae8e8e8e7e7e7e6e6e6e5e5e5e4e4e4e3e3e3e2e2e2e1e1e1e0e0e0dedededddddddcdcdc"
    "dbdbdbdadadad9d9d9d8d8d8d7d7d7d6d6d6d5d5d5d3d3d3d2d2d2d1d1d1d0d0d0cfcfcfcecececdcdcdcccccccbcbcb"
    "cacacac8c8c8c7c7c7c6c6c6c5c5c5c4c4c4c3c3c3c2c2c2c1c1c1c0c0c0bfbfbfbebebebdbdbdbcbcbcbababab9b9b9"
    "b8b8b8b7b7b7b6b6b6b5b5b5b4b4b4b3b3b3b2b2b2b1b1b1b0b0b0afafafaeaeaeadadadacacacabababa9a9a9a8a8a8"
    "a7a7a7a6a6a6a5a5a5a4a4a4a3a3a3a2a2a2a1a1a1a0a0a09f9f9f9e9e9e9d9d9d9c9c9c9b9b9b9a9a9a999999989898"
    "9797979696969595959494949393939292929191919090908f8f8f8d8d8d8c8c8c8b8b8b8a8a8a898989888888878787"
    "8686868585858484848383838282828181818080807f7f7f7e7e7e7d7d7d7c7c7c7b7b7b7a7a7a797979787878777777"
    "7676767575757474747373737272727272727171717070706f6f6f6e6e6e6d6d6d6c6c6c6b6b6b6a6a6a696969686868"
    "6767676666666565656464646363636262626161616060605f5f5f5e5e5e5d5d5d5c5c5c5b5b5b5a5a5a5a5a5a595959"
    "5858585757575656565555555454545353535252525151515050504f4f4f4e4e4e4d4d4d4d4d4d4c4c4c4b4b4b4a4a4a"
    "4949494848484747474646464545454444444343434343434242424141414040403f3f3f3e3e3e3d3d3d3c3c3c3c3c3c"
    "3b3b3b3a3a3a3939393838383737373636363535353535353434343333333232323131313030302f2f2f2f2f2f2e2e2e"
    "2d2d2d2c2c2c2b2b2b2a2a2a2a2a2a292929282828272727262626252525252525242424232323222222212121212121"
    "2020201f1f1f1e1e1e1d1d1d1d1d1d1c1c1c1b1b1b1a1a1a1a1a1a191919181818171717161616161616151515141414"
    "1313131212121111111010100f0f0f0e0e0e0d0d0d0b0b0b0a0a0a090909070707060606040404030303010101000000";
constexpr std::string_view diverging_text =
    "1955a91b56aa1e57ab2058ac2259ae255aaf275cb0295db12b5eb32d5fb42f60b53161b63362b73563b83765ba3966bb"
    "3b67bc3c68bd3e69be406abf426bc0446dc1466ec2476fc34970c44b71c54d72c64f74c75075c85276c95477ca5678cb"
    "577acc597bcd5b7cce5d7dce5e7ecf607fd06281d16482d26583d36784d36986d46b87d56c88d66e89d7708ad7728cd8"
    "738dd9758ed9778fda7891db7a92dc7c93dc7e94dd7f96de8197de8398df8499df869be0889ce1899de18b9ee28da0e2"
    "8fa1e390a2e392a3e494a5e495a6e597a7e699a9e69aaae69cabe79eace79faee8a1afe8a3b0e9a4b2e9a6b3eaa8b4ea"
    "a9b6eaabb7ebadb8ebaebaecb0bbecb2bcecb3bdedb5bfedb7c0edb8c1eebac3eebcc4eebdc5efbfc7efc1c8efc2c9f0"
    "c4cbf0c5ccf0c7cef0c9cff1cad0f1ccd2f1ced3f1cfd4f2d1d6f2d2d7f2d4d8f2d6daf3d7dbf3d9ddf3dadef3dcdff3"
    "dee1f4dfe2f4e1e3f4e3e5f4e4e6f4e6e8f5e7e9f5e9eaf5eaecf5ecedf5eeeff5eff0f6f1f1f6f2f3f6f4f4f6f6f6f6"
    "f6f5f5f6f4f3f6f2f1f6f0eff6efedf6edebf6ebe9f6eae7f6e8e5f6e6e3f6e5e1f6e3dff6e1ddf6dfdbf6ded9f6dcd7"
    "f6dad5f5d9d3f5d7d1f5d5cff5d4cdf5d2cbf5d0c9f4cfc7f4cdc5f4cbc3f4cac1f3c8bff3c6bdf3c5bbf2c3b9f2c1b8"
    "f2c0b6f1beb4f1bcb2f1bbb0f0b9aef0b7acefb6aaefb4a8eeb3a7eeb1a5eeafa3edaea1edac9fecaa9deca99ceba79a"
    "eaa698eaa496e9a295e9a193e89f91e79e8fe79c8de69a8ce6998ae59788e49687e49485e39383e29182e18f80e18e7e"
    "e08c7ddf8b7bde8979de8878dd8676dc8574db8373da8271d98070d97f6ed87d6dd77c6bd67a69d57968d47766d37665"
    "d27463d17362d07160cf705fce6e5dcd6d5ccc6b5bcb6a59ca6858c96756c86555c76453c66352c56151c4604fc35e4e"
    "c25d4dc15b4bbf5a4abe5949bd5747bc5646bb5545ba5344b85242b75041b64f40b54e3fb44c3db24b3cb14a3bb0483a"
    "af4739ad4637ac4436ab4335a94234a84133a73f32a53e31a43d2fa33b2ea13a2da0392c9f382b9d362a9c35299b3428";
// clang-format on

constexpr std::uint8_t digit(char c) {
  return static_cast<std::uint8_t>(c <= '9' ? c - '0' : c - 'a' + 10);
}

consteval Colors decode(std::string_view digits) {
  Colors colors{};
  for (std::size_t i = 0; i < colors.size(); ++i) {
    const auto byte = [&](std::size_t at) {
      return static_cast<std::uint8_t>(16 * digit(digits[6 * i + at]) + digit(digits[6 * i + at + 1]));
    };
    colors[i] = {byte(0), byte(2), byte(4)};
  }
  return colors;
}

/// Linear in sRGB between equally spaced stops, six digits each, as matplotlib's LinearSegmentedColormap.
template <std::size_t stops>
consteval Colors interpolate(const std::array<unsigned, stops>& stop) {
  Colors colors{};
  for (std::size_t i = 0; i < colors.size(); ++i) {
    const std::size_t place = i * (stops - 1), last = colors.size() - 1;
    const auto low = static_cast<unsigned>(std::min(place / last, stops - 2));
    const auto part = static_cast<unsigned>(place - low * last), all = static_cast<unsigned>(last);
    const auto byte = [&](unsigned shift) {
      const unsigned a = stop[low] >> shift & 255U, b = stop[low + 1] >> shift & 255U;
      return static_cast<std::uint8_t>((2 * (a * (all - part) + b * part) + all) / (2 * all));
    };
    colors[i] = {byte(16), byte(8), byte(0)};
  }
  return colors;
}
/// C. Brewer's sequential Blues (colorbrewer2.org, nine classes), as matplotlib interpolates them.
constexpr std::array blues{0xf7fbffU, 0xdeebf7U, 0xc6dbefU, 0x9ecae1U, 0x6baed6U,
                           0x4292c6U, 0x2171b5U, 0x08519cU, 0x08306bU};

constexpr ColormapRow colormap_rows[] = {{Colormap::viridis, "viridis", nullptr, decode(viridis)},
                                         {Colormap::magma, "magma", nullptr, decode(magma)},
                                         {Colormap::cividis, "cividis", nullptr, decode(cividis)},
                                         {Colormap::greys, "greys", "grays", decode(greys)},
                                         {Colormap::blues, "blues", "Blues", interpolate(blues)}};
constexpr Colors diverging_map = decode(diverging_text);

/// From the background to both ends, whose lightness is the same.
constexpr Colors dark_diverging() {
  constexpr Rgb low{0x5a, 0xa9, 0xff}, high{0xff, 0x7d, 0x5c};
  Colors map{};
  int i = 0;
  for (Rgb& color : map) {
    const int part = i < 128 ? 255 - 2 * i : 2 * i - 255;
    const Rgb end = i < 128 ? low : high;
    const auto between = [part](int from, int to) {
      return static_cast<std::uint8_t>(from + (to - from) * part / 255);
    };
    ++i;
    color = {between(dark_background.r, end.r), between(dark_background.g, end.g),
             between(dark_background.b, end.b)};
  }
  return map;
}
constexpr Colors dark_diverging_map = dark_diverging();

}  // namespace

std::span<const ColormapRow> colormaps() {
  return colormap_rows;
}

const Colors& diverging_colors(Theme theme) {
  return theme == Theme::dark ? dark_diverging_map : diverging_map;
}

}  // namespace headscope
