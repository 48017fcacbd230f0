import OpenID
import ServerCore
import StrictJSON
import UAF
import UAFService

/// Passwords, and everything that is kept of one person, also of one who was removed.
extension AdministrationService {
    /// Sets or replaces a password, and ends all logins.
    func setPassword(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let password = try call.read(["password"]) { members throws(JSONTypeError) in try members.string("password") }
        let user = try await pathUser(call)
        try await passing { () async throws(ServerError) in
            try await services.users.setPassword(password, named: user.name.text)
        }
        return .done
    }

    func exportPerson(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        try call.requireQuery(of: [])
        let (persons, id) = (PersonService(server), try await person(call))
        let record = try await passing { () async throws(ServerError) in try await persons.export(id) }
        return AdministrationAnswer([
            "userId": .string(id.text), "record": .object(record.members),
            "page": .string(String(decoding: personPage(record), as: UTF8.self)),
        ])
    }

    func erasePerson(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let (persons, id) = (PersonService(server), try await person(call))
        let reason = call.act.reason ?? ""
        switch try await passing({ () async throws(ServerError) in try await persons.erase(id, reason: reason) }) {
        case .reasonNamesPerson: throw .rule("the reason names the person, and would stay in the audit")
        case .done(let isComplete):
            return AdministrationAnswer(["erased": .string(id.text), "complete": .bool(isComplete)])
        }
    }

    /// Person whom the path names, by identifier, name or external ID; with own users one who has an account.
    private func person(_ call: AdministrationCall) async throws(AdministrationRefusal) -> UserID {
        guard call.reach == nil else { return try await pathUser(call).id }
        let people = try await passing { () async throws(ServerError) in
            try await PersonService(server).people(named: call.object ?? "")
        }
        guard people.count == 1, let id = people.first else {
            let identifiers = people.map(\.text).joined(separator: ", ")
            throw .rule("several people had this name; give an identifier: \(identifiers)")
        }
        return id
    }
}
