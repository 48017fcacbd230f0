import Octets
import StrictJSON

extension JSONObject {
    /// The object with another value for a member that it has.
    func replacing(_ name: String, with value: JSONValue) -> JSONObject {
        JSONObject(
            distinct: members.map { member in
                member.name.hasSameOctets(as: name) ? Member(member.name, value) : member
            })
    }
}
