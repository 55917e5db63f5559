import OperatorText
import Testing

@Suite struct ByteSizeTextTests {
    @Test(
        "Sizes are numbers with a decimal unit",
        arguments: [
            ("300B", 300), ("512kB", 512_000), ("10MB", 10_000_000), ("1.5GB", 1_500_000_000), ("0B", 0),
            ("1000TB", 1_000_000_000_000_000),
        ])
    func good(text: String, bytes: Int) { #expect(ByteSizeText.parse(text) == bytes) }

    @Test(
        "Anything else isn't a size",
        arguments: ["", "10", "MB", "-1MB", "1e3MB", "10 MB", "10mb", "10MiB", "1.2.3MB", "1001TB", "٣MB", ".B"])
    func bad(text: String) { #expect(ByteSizeText.parse(text) == nil) }

    @Test(
        "Sizes are shown in the largest unit that fits",
        arguments: [(0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (16_700, "16.7 kB"), (100_000_000, "100.0 MB")])
    func shown(bytes: Int, text: String) { #expect(ByteSizeText.format(bytes) == text) }
}
