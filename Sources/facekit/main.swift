print("facekit")
