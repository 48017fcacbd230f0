import StrictYAML
import Testing

@Suite("A document is read strictly, whatever it is about")
struct DocumentReadingTests {
    /// No files at all.
    private struct NoFiles: FileReading {
        func contents(of path: String) -> [UInt8]? { nil }
        func permissions(of path: String) -> UInt16? { nil }
        func names(in folder: String) -> [String]? { nil }
    }

    private func port(
        _ text: String, environment: [String: String] = [:], variablePrefix: String? = nil
    ) throws(ConfigurationError) -> Int {
        let source = ConfigurationSource(
            fileName: "a.yml", text: text, folder: "/", environment: environment, files: NoFiles())
        return try source.read(variablePrefix: variablePrefix) { reader in
            reader.section("server") { $0.integer("port", in: 0...65_535, default: 1) }
        }
    }

    private func problems(_ body: () throws(ConfigurationError) -> Int) -> [String] {
        do throws(ConfigurationError) {
            _ = try body()
            return []
        } catch .problems(let problems) {
            return problems.map(\.description)
        } catch {
            return [error.description]
        }
    }

    @Test("What the reader asks for is given, and what it did not ask for is refused with its place")
    func settings() throws {
        #expect(try port("server: {port: 7}") == 7)
        #expect(try port("") == 1)
        #expect(
            problems { () throws(ConfigurationError) in try port("server: {prt: 7}") }
                == ["a.yml:1:10: server.prt: unknown setting, did you mean \"port\"?"])
    }

    @Test("Variables override settings where they have a prefix, and only there")
    func variables() throws {
        let environment = ["A_SERVER_PORT": "9"]
        #expect(try port("server: {port: 7}", environment: environment, variablePrefix: "A_") == 9)
        #expect(try port("server: {port: 7}", environment: environment) == 7)
        #expect(try port("server: {port: 7}", environment: environment, variablePrefix: "B_") == 7)
    }

    @Test("A variable with the prefix that overrides nothing is refused; without a prefix no variable is looked at")
    func strangers() {
        let environment = ["A_SERVER_PRT": "9"]
        let found = problems { () throws(ConfigurationError) in
            try port("", environment: environment, variablePrefix: "A_")
        }
        #expect(
            found == ["environment variable A_SERVER_PRT: unknown setting, did you mean \"A_SERVER_PORT\"?"])
        #expect(problems { () throws(ConfigurationError) in try port("", environment: environment) }.isEmpty)
    }
}
