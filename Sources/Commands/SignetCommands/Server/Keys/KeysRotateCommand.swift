import ArgumentParser
import ServerCore
import StrictJSON

/// `signet-server keys rotate`.
struct KeysRotateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Make fresh keys for ceremonies and tokens.",
        discussion: """
            A running server takes them up by itself within a minute; what was made with the old keys stays valid \
            until it expires. The server rotates once a day without being asked.
            """)

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.reportOnServices { services in
            try await services.keys.rotate()
            return CommandReport.Outcome(
                text: "The server uses fresh keys from one minute on.", result: ["rotated": .bool(true)])
        }
    }
}
