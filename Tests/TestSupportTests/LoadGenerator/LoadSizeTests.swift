import LoadGenerator
import Testing

@Suite("Sizes are read as a setting has them")
struct LoadSizeTests {
    @Test(
        "Digits and powers of ten are read",
        arguments: [
            ("0", 0), ("320", 320), ("1000", 1_000), ("1e3", 1_000), ("25e3", 25_000), ("1e8", 100_000_000), ("7e0", 7),
            ("0e99", 0), ("007", 7),
        ])
    func reading(text: String, count: Int) {
        #expect(LoadSize(text: text)?.count == count)
    }

    @Test(
        "Anything else is no size",
        arguments: [
            "", "e", "e3", "1e", "1e3e3", "-1", "+1", "1.5e3", "1E3", "1_000", " 1", "１", "1e9", "100000001",
            "9e99999999999",
            "1e9223372036854775807", "99999999999999999999",
        ])
    func refusals(text: String) {
        #expect(LoadSize(text: text) == nil)
    }

    @Test("A list is in ascending order, has each size once, and none of 0")
    func list() {
        #expect(LoadSize.list("1e6,1e3,1000")?.map(\.count) == [1_000, 1_000_000])
        #expect(LoadSize.list("0")?.isEmpty == true)
        #expect(LoadSize.list("0,5")?.map(\.count) == [5])
    }

    @Test(
        "A list with anything that is no size is none",
        arguments: ["", ",", "1e3,", "1e3,,1e5", "1e3;1e5", "1e3, 1e5"])
    func noList(text: String) {
        #expect(LoadSize.list(text) == nil)
    }

    @Test(
        "Names of figures have an exponent from a thousand on, and lead back to the size",
        arguments: [
            (0, "0"), (7, "7"), (320, "320"), (500, "500"), (1_000, "1e3"), (1_234, "1234"), (25_000, "25e3"),
            (10_000_000, "1e7"),
        ])
    func names(count: Int, name: String) {
        #expect(LoadSize(count).description == name)
        #expect(LoadSize(text: name) == LoadSize(count))
    }

    @Test("A number outside counts as the nearer end")
    func ends() {
        #expect(LoadSize(-1).count == 0)
        #expect(LoadSize(.max).count == LoadSize.largest)
    }
}
