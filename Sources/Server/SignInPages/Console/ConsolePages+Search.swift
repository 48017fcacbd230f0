import BackendAPI
package import OpenID
package import ServerAdministration
import ServerCore
import StrictJSON

extension ConsolePages {
    /// The first page: a search by the fields of a query, and what it has found.
    package func peoplePage(
        _ fields: OpenIDFields, for visitor: ConsoleVisitor
    ) async throws(AdministrationRefusal) -> PageAnswer {
        let search = fields["search"]
        var values: [String: PageValue] = ["search": .text(search ?? ""), "none": .flag(false)]
        if let search {
            let answer = try await ask(.listUsers, for: visitor) {
                $0.query = ["search": search, "limit": "25"]
                $0.query["after"] = fields["after"]
            }
            let people = answer.members.objects("users")
            values["none"] = .flag(people.isEmpty)
            values["people"] = .list(people.map(Self.entry))
            values["more"] = PageValue(answer.members.text("next").map { Self.path(search: search, after: $0) })
        }
        return page(.consolePeople, titled: "People", values, for: visitor)
    }

    private static func path(search: String, after: String) -> String {
        "\(path)?" + FormPairs.encode([(name: "search", value: search), (name: "after", value: after)])
    }

    private static func entry(_ user: JSONObject) -> [String: PageValue] {
        let (name, id, external) = (user.text("name"), user.text("id"), user.text("externalId"))
        return [
            "path": .text(path(of: id ?? "")), "name": .text((name ?? "").asName()),
            "external": PageValue(external == id ? nil : external?.asName()),
            "locked": .flag(user.text("status") == User.Status.locked.rawValue),
        ]
    }

    /// Findings about the server at this moment, the worst first.
    package func findingsPage(for visitor: ConsoleVisitor) async throws(AdministrationRefusal) -> PageAnswer {
        let findings = try await ask(.findings, for: visitor).members.objects("findings")
        var values: [String: PageValue] = [
            "none": .flag(!findings.contains { $0.text("severity") != ServerFinding.Severity.note.rawValue }),
            "findings": .list(
                findings.map { finding in
                    let (word, style) = Self.weight(finding.text("severity"))
                    return [
                        "weight": .text(word), "weightClass": .text(style),
                        "subject": .text((finding.text("id") ?? "").replacing("-", with: " ")),
                        "text": .text(finding.text("text") ?? ""),
                        "remedy": PageValue(style.isEmpty ? nil : finding.text("remedy")),
                    ]
                }),
        ]
        let use = try await ask(.applicationVersions, for: visitor).members
        values["since"] = .text(Self.time(use.text("since") ?? ""))
        values["versions"] = .list(use.objects("versions").map(Self.version))
        values["hasVersions"] = .flag(!use.objects("versions").isEmpty)
        return page(.consoleFindings, titled: "What is wrong now", values, for: visitor)
    }

    private static func version(_ row: JSONObject) -> [String: PageValue] {
        let verdict = row.text("verdict").flatMap(ApplicationVersionStatement.Verdict.init)
        let words: String? =
            switch verdict {
            case .blocked: "blocked"
            case .updateRequired: "below the minimum"
            case .updateAvailable, .upToDate, nil: nil
            }
        return [
            "facet": .text(row.text("facet")?.asName(atMost: 256) ?? ""),
            "version": .text(row.text("version") ?? "others"),
            "count": .text(JSONWriter.text(row["count"] ?? .integer(0))),
            "unwanted": PageValue(words),
        ]
    }

    private static func weight(_ severity: String?) -> (word: String, style: String) {
        switch severity.flatMap(ServerFinding.Severity.init) {
        case .down: ("Does not work", "bad")
        case .warning: ("Look at it", "bad")
        case .note, nil: ("Worth knowing", "")
        }
    }
}

extension JSONObject {
    /// Text member; nil for another one and without it.
    func text(_ name: String) -> String? {
        guard case .string(let text)? = self[name] else { return nil }
        return text
    }

    func objects(_ name: String) -> [JSONObject] {
        guard case .array(let values)? = self[name] else { return [] }
        return values.compactMap { value in
            guard case .object(let object) = value else { return nil }
            return object
        }
    }
}
