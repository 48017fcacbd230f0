import ArgumentParser
import CommandSupport
import Foundation
import ServerAdministration
import ServerCore

/// Options that say which records of the audit are wanted.
struct AuditFilter: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Only events of this user: name or external id, also of one who was removed.", valueName: "name"))
    var user: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Only events of this phone, by its identifier in \"devices list\".", valueName: "id"))
    var device: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Only events of this web site or access key: what it asked for, and its settings.", valueName: "id"))
    var client: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Only events of this kind; may stand several times. \"audit events\" lists them.", valueName: "kind"))
    var kind: [AuditEvent.Kind] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Only events from this time on: 90min, 12h, 7d (ago), 2026-01-31 or 2026-01-31T12:00:00Z (UTC).",
            valueName: "time"))
    var since: AuditTime?

    /// Request for the records that are wanted.
    func request(_ more: [(String, String?)]) -> AdministrationRequest {
        let since = since?.timestamp(at: SystemWallClock().now()).iso8601
        let kinds = kind.isEmpty ? nil : kind.map(\.rawValue).joined(separator: ",")
        return AdministrationRequest(
            .listAudit,
            parameters: [("user", user), ("device", device), ("client", client), ("kind", kinds), ("since", since)]
                + more)
    }
}

/// Point in time as an operator states it: a date, a date and time, or how long ago.
enum AuditTime: Sendable, Hashable {
    case at(Timestamp)
    case ago(Duration)

    func timestamp(at now: Timestamp) -> Timestamp {
        switch self {
        case .at(let time): time
        case .ago(let duration): now - duration
        }
    }
}

extension AuditTime: ExpressibleByArgument {
    private static let units: [String: Int64] = ["s": 1, "min": 60, "h": 3_600, "d": 86_400]

    init?(argument: String) {
        let digits = argument.prefix { $0.isASCII && $0.isNumber }
        if let count = Int32(digits), let unit = Self.units[String(argument.dropFirst(digits.count))] {
            self = .ago(.seconds(Int64(count) * unit))
            return
        }
        if let time = Timestamp(iso8601: argument) {
            self = .at(time)
            return
        }
        let isDay = argument.utf8.count == 10
        guard let date = try? Date(isDay ? argument + "T00:00:00Z" : argument, strategy: .iso8601) else { return nil }
        self = .at(Timestamp(seconds: Int64(date.timeIntervalSince1970)))
    }
}

extension AuditEvent.Kind: ExpressibleByArgument {
    /// Empty, as the help would list 58 of them: "audit events" does.
    package static var allValueStrings: [String] { [] }

    package init?(argument: String) { self.init(rawValue: argument.uppercased().replacing("-", with: "_")) }
}
