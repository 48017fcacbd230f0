import Octets
import StrictJSON

/// Response of the health services.
///
/// Members, limits and errors: `docs/web/http-api.md`.
///
/// ```swift
/// let health = HealthBody(
///     isUp: isDatabaseUp, components: [HealthBody.Component(name: "database", isUp: isDatabaseUp)])
/// let (status, body) = (health.httpStatus, health.body)
/// ```
public struct HealthBody: MessageBody {
    /// Whether everything that counts is in order.
    public let isUp: Bool

    /// Components that the server depends on; empty in a response that does not report them.
    public let components: [Component]

    /// A state.
    public init(isUp: Bool, components: [Component] = []) {
        self.isUp = isUp
        self.components = components
    }

    /// Component that the server depends on, such as the database.
    public struct Component: Hashable, Sendable {
        /// Its name, such as `database`.
        public let name: String
        /// Whether it works.
        public let isUp: Bool
        /// Explanation of the component's state.
        public let detail: Detail?

        /// A state of a part.
        public init(name: String, isUp: Bool, detail: Detail? = nil) {
            self.name = name
            self.isUp = isUp
            self.detail = detail
        }
    }

    /// Explanation of a component's state.
    public struct Detail: Hashable, Sendable {
        /// Kind of the explanation: `reason`, `warning` or `note`.
        public let name: String
        /// The words.
        public let text: String

        /// Explanation of one kind.
        public init(name: String, text: String) {
            self.name = name
            self.text = text
        }
    }

    /// The HTTP status that goes with the state.
    public var httpStatus: Int { isUp ? 200 : 503 }
}

extension HealthBody: StrictBody {
    init(json: JSONValue) throws(JSONTypeError) {
        let object = try json.asObject()
        let parts = try object["components"]?.asObject().members ?? []
        self.init(
            isUp: try object.string("status").hasSameOctets(as: "UP"),
            components: try parts.map { member throws(JSONTypeError) in try Component(member) })
    }

    var json: JSONValue {
        .object([
            "status": .string(isUp ? "UP" : "DOWN"),
            "components": components.isEmpty
                ? nil : .object(JSONObject(distinct: components.map { .init($0.name, $0.json) })),
        ])
    }
}

extension HealthBody.Component {
    fileprivate init(_ member: JSONObject.Member) throws(JSONTypeError) {
        let object = try member.value.asObject()
        var detail: HealthBody.Detail?
        if let first = try object["details"]?.asObject().members.first {
            detail = HealthBody.Detail(name: first.name, text: try first.value.asString())
        }
        self.init(
            name: member.name, isUp: try object.string("status").hasSameOctets(as: "UP"), detail: detail)
    }

    fileprivate var json: JSONValue {
        .object([
            "status": .string(isUp ? "UP" : "DOWN"),
            "details": detail.map { .object(JSONObject(distinct: [.init($0.name, .string($0.text))])) },
        ])
    }
}
