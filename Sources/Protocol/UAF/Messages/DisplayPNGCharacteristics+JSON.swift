package import StrictJSON

extension DisplayPNGCharacteristics: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        let palette: [PaletteEntry] = try members.optionalArray("plte", rules: rules) ?? []
        guard palette.count <= 256 else { throw JSONTypeError(path: ["plte"], .outOfRange) }
        self.init(
            width: try members.requiredInteger("width"), height: try members.requiredInteger("height"),
            coding: Coding(
                bitDepth: try members.requiredInteger("bitDepth"), colorType: try members.requiredInteger("colorType"),
                compression: try members.requiredInteger("compression"),
                filter: try members.requiredInteger("filter"), interlace: try members.requiredInteger("interlace")),
            palette: palette)
    }

    package var json: JSONValue {
        .object(
            JSONObject([
                "width": .integer(width), "height": .integer(height), "bitDepth": .integer(coding.bitDepth),
                "colorType": .integer(coding.colorType), "compression": .integer(coding.compression),
                "filter": .integer(coding.filter), "interlace": .integer(coding.interlace), "plte": .list(palette),
            ]))
    }
}

extension DisplayPNGCharacteristics.PaletteEntry: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            red: try members.requiredInteger("r"), green: try members.requiredInteger("g"),
            blue: try members.requiredInteger("b"))
    }

    package var json: JSONValue {
        .object(JSONObject(["r": .integer(red), "g": .integer(green), "b": .integer(blue)]))
    }
}
