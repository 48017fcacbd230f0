package import OpenID
package import ServerAdministration
import ServerCore
import StrictJSON

extension ConsolePages {
    /// A person with phones, keys and latest events, and the forms that the visitor may use.
    ///
    /// The field `done` of the query names a change that was just made, `form` is a form from before the sign-in.
    package func personPage(
        _ id: String, _ fields: OpenIDFields, for visitor: ConsoleVisitor
    ) async throws(AdministrationRefusal) -> PageAnswer {
        let draft = draft(fields["form"], on: id, by: visitor)
        let notice = fields["done"].flatMap(ConsoleAction.init).map { ConsoleNotice($0.done) }
        return try await personPage(id, draft == nil ? notice : .kept, draft, for: visitor)
    }

    func personPage(
        _ id: String, _ notice: ConsoleNotice?, _ draft: ConsoleDraft?, for visitor: ConsoleVisitor
    ) async throws(AdministrationRefusal) -> PageAnswer {
        let person = try await ask(.user, for: visitor) { $0.object = id }
        let user = person.members
        let name = user.text("name") ?? ""
        let isLocked = user.text("status") == User.Status.locked.rawValue
        let (phones, elsewhere) = try await phones(of: id, draft, visitor)
        let mayChange = mayChange(name, visitor)
        var values = facts(of: user)
        values["headline"] = .text(name.asName())
        values["locked"] = .flag(isLocked)
        values["notice"] = PageValue(notice?.text)
        values["noticeClass"] = .text(notice?.status ?? 200 == 200 ? "good" : "bad")
        values["forms"] = .flag(mayChange && visitor.isFresh)
        values["confirm"] = .flag(mayChange && !visitor.isFresh)
        values["operatorsOnly"] = .flag(visitor.role == .helpDesk && !mayChange)
        let carried = visitor.isFresh ? nil : draft.flatMap { seal($0, on: id, by: visitor) }
        values["signIn"] = .text("\(Self.path)/sign-in/\(id)" + (carried.map { "?form=\($0)" } ?? ""))
        values["action"] = .text(Self.path(of: id))
        values["formToken"] = .text(Self.token(visitor.reader)?.text ?? "")
        values["version"] = .text(person.version?.text ?? "")
        values["reason"] = .text(draft?.reason ?? "")
        values["invites"] = .flag(draft?.action == .invite)
        values["locks"] = .flag([.lock, .unlock].contains(draft?.action))
        values["phones"] = .list(phones)
        values["noPhones"] = .flag(phones.isEmpty)
        values["elsewhere"] = .list(elsewhere.map(Self.key))
        values["hasElsewhere"] = .flag(!elsewhere.isEmpty)
        let passkeys = try await passkeys(of: id, visitor)
        values["passkeys"] = .list(passkeys)
        values["hasPasskeys"] = .flag(!passkeys.isEmpty)
        let events = try await ask(.listHistory, for: visitor) { $0.query["user"] = id }.members.objects("events")
        values["events"] = .list(events.map(Self.event))
        values["hasEvents"] = .flag(!events.isEmpty)
        return page(
            .consolePerson, titled: name.asName(), values, for: visitor, status: notice?.status ?? 200)
    }

    // MARK: - Parts

    private func facts(of user: JSONObject) -> [String: PageValue] {
        var facts: [(name: String, value: String)] = []
        if let text = user.text("externalId"), text != user.text("id") { facts.append(("External ID", text)) }
        if case .object(let attributes)? = user["attributes"] {
            facts += Self.attributes.compactMap { name, label in attributes[name].map { (label, Self.text($0)) } }
            if attributes["email_verified"] == .bool(true) { facts.append(("E-mail verified", "yes")) }
        }
        if let text = user.text("createdAt") { facts.append(("Added", Self.time(text))) }
        if let text = user.text("owner") { facts.append(("Added by", text)) }
        return ["facts": .list(facts.map { ["name": .text($0.name), "value": .text($0.value.asName(atMost: 1_024))] })]
    }

    private static let attributes: KeyValuePairs<String, String> = [
        "name": "Name", "given_name": "Given name", "family_name": "Family name", "email": "E-mail",
        "locale": "Language",
        "groups": "Groups",
    ]

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): text
        case .array(let values): values.map(text).joined(separator: ", ")
        default: JSONWriter.text(value)
        }
    }

    /// Phones with their versions, and keys that are on none.
    private func phones(
        of id: String, _ draft: ConsoleDraft?, _ visitor: ConsoleVisitor
    ) async throws(AdministrationRefusal) -> (phones: [[String: PageValue]], elsewhere: [JSONObject]) {
        let list = try await ask(.listDevices, for: visitor) { $0.query["user"] = id }.members
        var phones: [[String: PageValue]] = []
        for device in list.objects("devices") {
            guard let phone = device.text("id") else { continue }
            let present = try await ask(.device, for: visitor) { $0.object = phone }
            let keys = device.objects("credentials")
            phones.append([
                "id": .text(phone), "removes": .flag(draft?.phone == phone),
                "name": .text((device.text("name") ?? "").asName()),
                "version": .text(present.version?.text ?? ""), "push": .flag(device["push"] == .bool(true)),
                "added": .text(Self.time(device.text("createdAt") ?? "")), "keys": .list(keys.map(Self.key)),
                "used": PageValue(keys.compactMap { $0.text("lastUsedAt") }.max().map(Self.time)),
                "keyCount": .text(keys.count == 1 ? "1 key" : "\(keys.count) keys"), "hasKeys": .flag(!keys.isEmpty),
            ])
        }
        return (phones, list.objects("credentialsElsewhere"))
    }

    /// Passkeys with their versions.
    private func passkeys(
        of id: String, _ visitor: ConsoleVisitor
    ) async throws(AdministrationRefusal) -> [[String: PageValue]] {
        let list = try await ask(.listPasskeys, for: visitor) { $0.query["user"] = id }.members
        var passkeys: [[String: PageValue]] = []
        for listed in list.objects("passkeys") {
            guard let passkey = listed.text("id") else { continue }
            let present = try await ask(.passkey, for: visitor) { $0.object = passkey }
            passkeys.append([
                "id": .text(passkey), "name": .text((listed.text("name") ?? "").asName()),
                "version": .text(present.version?.text ?? ""), "synced": .flag(listed["synced"] == .bool(true)),
                "added": .text(Self.time(listed.text("createdAt") ?? "")),
                "used": PageValue(listed.text("lastUsedAt").map(Self.time)),
            ])
        }
        return passkeys
    }

    private static func key(_ key: JSONObject) -> [String: PageValue] {
        [
            "aaid": .text(key.text("aaid") ?? ""), "protection": .text(key.text("protection") ?? ""),
            "added": .text(time(key.text("createdAt") ?? "")), "used": PageValue(key.text("lastUsedAt").map(time)),
            "off": .flag(key.text("status") != RegisteredCredential.Status.active.rawValue),
        ]
    }

    private static func event(_ event: JSONObject) -> [String: PageValue] {
        let kind = event.text("kind").flatMap(HistoryEntry.Kind.init)
        let texts = PageTexts(language: .english)
        return [
            "at": .text(event.text("at") ?? ""), "time": .text(time(event.text("at") ?? "")),
            "what": .text(kind.map { texts[$0.text] } ?? ""),
            "details": .text(
                [event.text("client"), event.text("device")].compactMap { $0?.asName() }.joined(separator: " · ")),
        ]
    }

    /// A time of an answer to the minute, in UTC.
    static func time(_ iso8601: String) -> String { "\(iso8601.prefix(10)) \(iso8601.dropFirst(11).prefix(5))" }
}
