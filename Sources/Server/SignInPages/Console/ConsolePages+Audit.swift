package import OpenID
package import ServerAdministration
import ServerCore
import StrictJSON

extension ConsolePages {
    private static let pageSize = "50"

    /// Records of the audit in words, the newest first, narrowed by the fields of a query.
    package func auditPage(
        _ fields: OpenIDFields, for visitor: ConsoleVisitor
    ) async throws(AdministrationRefusal) -> PageAnswer {
        var values: [String: PageValue] = [
            "kinds": .list(
                AuditEvent.Kind.allCases.sorted { $0.meaning < $1.meaning }.map {
                    [
                        "kind": .text($0.rawValue), "meaning": .text($0.meaning),
                        "current": .flag($0.rawValue == fields["kind"]),
                    ]
                })
        ]
        for name in Self.filters { values[name] = .text(fields[name] ?? "") }
        let answer: JSONObject
        do throws(AdministrationRefusal) {
            answer = try await ask(.listAudit, for: visitor) { $0.query = Self.query(fields) }.members
        } catch .malformed {
            values["notice"] = .text("A day is written as 2026-11-29.")
            return page(.consoleAudit, titled: "Audit", values, for: visitor, status: 400)
        }
        let records = answer.objects("records").reversed()
        let names = try await names(of: records, visitor)
        values["records"] = .list(records.map { Self.row($0, names) })
        values["none"] = .flag(records.isEmpty)
        if answer["older"] == .bool(true), let oldest = records.last?.event.text("ts") {
            values["older"] = .text(Self.path(to: fields, before: oldest))
        }
        if let count = answer["unreadable"], count != .integer(0) {
            values["unreadable"] = .text(JSONWriter.text(count))
        }
        return page(.consoleAudit, titled: "Audit", values, for: visitor)
    }

    private static let filters = ["user", "device", "client", "kind", "since", "until"]

    /// Question to the administration; days become times, the last one with its whole length.
    private static func query(_ fields: OpenIDFields) -> [String: String] {
        var query = ["limit": pageSize]
        for name in filters { query[name] = fields[name] }
        if let day = query["since"], day.utf8.count == 10 { query["since"] = day + "T00:00:00.000Z" }
        if let day = query["until"], day.utf8.count == 10 {
            let begin = Timestamp(iso8601: day + "T00:00:00.000Z")
            query["until"] = begin.map { ($0 + .seconds(86_400)).iso8601 } ?? day
        }
        return query
    }

    private static func path(to fields: OpenIDFields, before time: String) -> String {
        var pairs = filters.compactMap { name in fields[name].map { (name: name, value: $0) } }
        pairs.removeAll { $0.name == "until" }
        return "\(path)/audit?" + FormPairs.encode(pairs + [(name: "until", value: time)])
    }

    /// Names of the people of the console who did something.
    private func names(
        of records: some Collection<JSONObject>, _ visitor: ConsoleVisitor
    ) async throws(AdministrationRefusal) -> [String: String] {
        var names: [String: String] = [:]
        for id in Set(records.compactMap { $0.event.actor?.text("userId") }) {
            do throws(AdministrationRefusal) {
                names[id] = try await ask(.user, for: visitor) { $0.object = id }.members.text("name")
            } catch .unknown {
                continue
            }
        }
        return names
    }

    private static func row(_ record: JSONObject, _ names: [String: String]) -> [String: PageValue] {
        let event = record.event
        let user = event.text("username") ?? event.text("userId")
        let isErased = event["erased"] == .bool(true)
        let details = [
            event.text("deviceName").map { "phone \($0)" }, event.text("clientId").map { "site \($0)" },
            event.text("reason").map { "because \($0)" }, event.text("clientIp").map { "from \($0)" },
        ]
        return [
            "at": .text(event.text("ts") ?? ""), "time": .text(time(event.text("ts") ?? "")),
            "what": .text(record.text("meaning") ?? ""),
            "person": PageValue(user?.asName()), "erased": .flag(isErased),
            "path": PageValue(isErased ? nil : event.text("userId").map { path(of: $0) }),
            "by": PageValue(by(event.actor, names)?.asName()),
            "note": PageValue(event.text("note")?.asName(atMost: 256)),
            "details": PageValue(details.compactMap { $0?.asName(atMost: 256) }.joined(separator: " · ")),
        ]
    }

    private static func by(_ actor: JSONObject?, _ names: [String: String]) -> String? {
        guard let actor else { return nil }
        if let id = actor.text("userId") { return names[id] ?? id }
        return actor.text("sudoUser") ?? actor.text("login") ?? actor.text("accessKey").map { "key \($0)" }
    }
}

extension JSONObject {
    fileprivate var event: JSONObject {
        guard case .object(let event)? = self["event"] else { return JSONObject(distinct: []) }
        return event
    }

    fileprivate var actor: JSONObject? {
        guard case .object(let actor)? = self["actor"] else { return nil }
        return actor
    }
}
