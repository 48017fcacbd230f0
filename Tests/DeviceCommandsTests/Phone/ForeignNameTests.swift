import CommandSupport
import Foundation
import MobileAuthentication
import StrictJSON
import Testing

@testable import DeviceCommands

@Suite("No name of a server changes what the terminal of a phone shows")
struct ForeignNameTests {
    private static let names = [
        "\u{1B}[31mRED\u{1B}[2K", "\u{1B}]52;c;ZXZl\u{7}", "\u{202E}gnihtyna", "eve\nanna  trusted",
    ]

    private struct StoredServer: Server {
        let baseUrl: URL
    }

    private struct StoredAccount: Account {
        let username: String
        var server: any Server { StoredServer(baseUrl: URL(filePath: "/")) }
    }

    @Test("Registrations, removals, messages and what was left open stay on their lines", arguments: names)
    func lines(name: String) throws {
        let account = StoredAccount(username: name)
        let message = try PushMessage(
            json: .object([
                "number": .integer(1), "data": .object([:]),
                "notification": .object(["title": .string(name), "body": .string(name)]),
            ]))
        let texts: [(lines: Int, text: TerminalText)] = [
            (1, OperationReport.registered([name]).outcome.text), (1, account.unansweredLine),
            (1, DeviceDeregister.text(name, 1, true)), (1, DeviceDeregister.text(name, 0, false)),
            (1, DeviceDeregister.text(name, 0, true)), (2, message.outcome(in: name).text),
            (
                1,
                MismatchList([.DeviceNameMismatch(nameInServer: name, nameInMobileDevice: name, server: account.server)]
                ).text
            ),
        ]
        let pending = DoctorFinding.unanswered(account)
        #expect(pending.verdict == .weak && pending.text.split(separator: "\n").count == 2)
        #expect(pending.text.contains("\\u{") && ForeignText.page(pending.text) == pending.text)
        for (count, text) in texts {
            #expect(text.description.split(separator: "\n").count == count, "\(text)")
            #expect(ForeignText.page(text.description) == text.description)
            #expect(text.description.contains("\\u{"))
        }
    }
}
