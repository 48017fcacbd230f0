import StrictJSON
import UAF

/// The context that the conformance tool sends with `/get`.
struct ConformanceContext {
    let username: UserName
    /// A text to confirm.
    let transaction: String?
    let deregisteredModel: AAID?
    let deregistersAll: Bool

    /// Reads the text of a context; throws status 1400.
    init(text: String?) throws(ServerError) {
        do {
            guard let text else { throw JSONTypeError(.missing) }
            let members = try JSONParser.parse(text).asObject()
            username = try members.required("username") { value throws(JSONTypeError) in
                guard let name = UserName(try value.asString()) else { throw JSONTypeError(.outOfRange) }
                return name
            }
            transaction = try members.optional("transaction") { value throws(JSONTypeError) in try value.asString() }
            deregisteredModel = try members.optional("deregisterAAID") { value throws(JSONTypeError) in
                guard let aaid = AAID(try value.asString()) else { throw JSONTypeError(.invalidForm) }
                return aaid
            }
            deregistersAll =
                try members.optional("deregisterAll") { value throws(JSONTypeError) in try value.asBool() } ?? false
        } catch {
            throw .refused(.badRequest)
        }
    }
}
