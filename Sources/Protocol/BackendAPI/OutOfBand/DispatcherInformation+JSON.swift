import StrictJSON

extension DispatcherInformation: StrictlyCoded {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            name: DispatcherName(rawValue: try members.string("name")), response: try members.string("response"))
    }

    var json: JSONValue { .object(["name": .string(name.rawValue), "response": .string(response)]) }
}
