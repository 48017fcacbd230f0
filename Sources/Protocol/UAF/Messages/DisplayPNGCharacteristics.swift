package import StrictJSON

/// Required PNG encoding of an image for a transaction display; values as in the IHDR and PLTE chunks.
///
/// FIDO UAF Protocol 1.1, 3.4.4 (`DisplayPNGCharacteristicsDescriptor`).
public struct DisplayPNGCharacteristics: Hashable, Sendable {
    /// One colour of a palette; each part is an unsigned short on the wire.
    public struct PaletteEntry: Hashable, Sendable {
        /// Red.
        public let red: UInt16
        /// Green.
        public let green: UInt16
        /// Blue.
        public let blue: UInt16

        /// Mixes a colour.
        public init(red: UInt16, green: UInt16, blue: UInt16) {
            self.red = red
            self.green = green
            self.blue = blue
        }
    }

    /// The five bytes that follow the size in an IHDR chunk.
    public struct Coding: Hashable, Sendable {
        /// Bits of one sample.
        public var bitDepth: UInt8
        /// Colour type.
        public var colorType: UInt8
        /// Compression method.
        public var compression: UInt8
        /// Filter method.
        public var filter: UInt8
        /// Interlace method.
        public var interlace: UInt8

        /// Creates an encoding; compression, filter and interlace have one usual value.
        public init(
            bitDepth: UInt8, colorType: UInt8, compression: UInt8 = 0, filter: UInt8 = 0, interlace: UInt8 = 0
        ) {
            self.bitDepth = bitDepth
            self.colorType = colorType
            self.compression = compression
            self.filter = filter
            self.interlace = interlace
        }
    }

    /// Width in pixels.
    public let width: UInt32
    /// Height in pixels.
    public let height: UInt32
    /// The rest of the IHDR chunk.
    public let coding: Coding
    /// The palette, 1 to 256 colours, or empty when there is none.
    public let palette: [PaletteEntry]

    /// Creates the characteristics of a display.
    public init(width: UInt32, height: UInt32, coding: Coding, palette: [PaletteEntry] = []) {
        self.width = width
        self.height = height
        self.coding = coding
        self.palette = palette
    }
}

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
        .object([
            "width": .integer(width), "height": .integer(height), "bitDepth": .integer(coding.bitDepth),
            "colorType": .integer(coding.colorType), "compression": .integer(coding.compression),
            "filter": .integer(coding.filter), "interlace": .integer(coding.interlace), "plte": .list(palette),
        ])
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
        .object(["r": .integer(red), "g": .integer(green), "b": .integer(blue)])
    }
}
