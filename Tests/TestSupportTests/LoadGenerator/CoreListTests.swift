import LoadGenerator
import Testing

@Suite("Cores are shared out as the kernel lists them")
struct CoreListTests {
    @Test("Numbers and ranges are read")
    func reading() {
        #expect(CoreList("0")?.cores == [0])
        #expect(CoreList("0-3")?.cores == [0, 1, 2, 3])
        #expect(CoreList("0-1,4,6-7")?.cores == [0, 1, 4, 6, 7])
    }

    @Test(
        "Anything else is no list",
        arguments: ["", ",", "1-", "-1", "3-2", "0-1-2", "a", "0,,1", "0 1", "0-9999999999"])
    func refusals(text: String) {
        #expect(CoreList(text) == nil)
    }

    @Test("The generator has one core, the servers have the others")
    func shares() throws {
        let shares = try #require(CoreList("0-3")?.shares)
        #expect(shares.generator.description == "3")
        #expect(shares.servers.description == "0,1,2")
        #expect(CoreList("5")?.shares == nil)
    }
}
