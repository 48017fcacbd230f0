/// Common PINs that no pattern explains: lines on the keypad, holidays, and small changes of a sequence.
enum GuessablePINs {
    private static let keypad = [
        "2580", "0852", "8520", "1470", "7410", "0147", "3690", "1590", "7530", "159753", "159357",
    ]
    private static let days = ["1224", "1225", "1231", "0101", "0907", "1029", "1124", "1225", "0704", "0401", "0214"]
    private static let habits = [
        "1004", "1020", "1023", "1024", "1213", "1230", "1235", "1245", "1318", "1324", "4200", "5150", "246810",
        "135790",
        "135791", "420420", "696969", "142536", "112358", "314159", "31415", "271828", "123654", "147896", "741852",
    ]
    private static let all = Set((keypad + days + habits).map { $0.utf8.map { Int($0) - Int(UInt8(ascii: "0")) } })

    static func contains(_ digits: [Int]) -> Bool {
        all.contains(digits)
    }
}
