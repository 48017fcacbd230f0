import DeviceCommands

await SignetCommand.runProcess()
