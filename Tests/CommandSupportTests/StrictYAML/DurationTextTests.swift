import StrictYAML
import Testing

@Suite("Configuration file: durations")
struct DurationTextTests {
    @Test(
        "A duration is read with its unit",
        arguments: [
            ("500ms", Duration.milliseconds(500)), ("480s", .seconds(480)), ("8m", .seconds(480)),
            ("24h", .seconds(86_400)), ("2d", .seconds(172_800)), ("0s", .zero),
        ])
    func accepted(text: String, duration: Duration) {
        #expect(Duration(configurationText: text) == duration)
    }

    @Test(
        "Anything else is refused",
        arguments: ["", "s", "5", "5 s", "-5s", "1.5s", "5S", "5sec", "٣s", "99999999999999999999d"])
    func refused(text: String) {
        #expect(Duration(configurationText: text) == nil)
    }

    @Test("What is written is read back", arguments: ["500ms", "7s", "8m", "24h", "2d", "90s"])
    func roundTrip(text: String) throws {
        let duration = try #require(Duration(configurationText: text))
        #expect(Duration(configurationText: duration.configurationText) == duration)
    }
}
